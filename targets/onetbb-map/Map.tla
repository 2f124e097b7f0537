-------------------------------- MODULE Map --------------------------------
(***************************************************************************)
(* A map from keys to values. Every call is atomic.                        *)
(***************************************************************************)
EXTENDS Naturals, TLC

VARIABLE map  \* A function from the keys that are there to their values.

Init == map = [key \in {} |-> 0]

\* A new key.
Insert(key, value) ==
    /\ key \notin DOMAIN map
    /\ map' = (key :> value) @@ map

\* The key is there; nothing is changed.
InsertExists(key) ==
    /\ key \in DOMAIN map
    /\ UNCHANGED map

\* The value of a key is replaced; the one that it had is told.
Replace(key, old, new) ==
    /\ key \in DOMAIN map
    /\ old = map[key]
    /\ map' = [map EXCEPT ![key] = new]

Get(key, value) ==
    /\ key \in DOMAIN map
    /\ value = map[key]
    /\ UNCHANGED map

\* Replace or Get did not find the key.
Missing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

Erase(key) ==
    /\ key \in DOMAIN map
    /\ map' = [other \in DOMAIN map \ {key} |-> map[other]]

EraseMissing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

Next ==
    \/ \E key \in Nat, value \in Nat : Insert(key, value)
    \/ \E key \in Nat : InsertExists(key)
    \/ \E key \in Nat, old \in Nat, new \in Nat : Replace(key, old, new)
    \/ \E key \in Nat, value \in Nat : Get(key, value)
    \/ \E key \in Nat : Missing(key)
    \/ \E key \in Nat : Erase(key)
    \/ \E key \in Nat : EraseMissing(key)

Spec == Init /\ [][Next]_map
=============================================================================
