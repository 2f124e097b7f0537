-------------------------------- MODULE Map --------------------------------
(***************************************************************************)
(* A map from keys to values, as its users see it: every call is one step. *)
(* An insert never replaces a value: it fails if the key is present.       *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS Keys, Values  \* Their values are in Map.cfg.

VARIABLE map  \* A function: its domain is the set of keys that are present.

Init == map = [key \in {} |-> 0]

Insert(key, value) ==
    /\ key \notin DOMAIN map
    /\ map' = (key :> value) @@ map

\* An insert that finds the key present.
InsertPresent(key, value) ==
    /\ key \in DOMAIN map
    /\ UNCHANGED map

Get(key, value) ==
    /\ key \in DOMAIN map
    /\ value = map[key]
    /\ UNCHANGED map

\* A lookup that finds nothing.
GetMissing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

Remove(key, value) ==
    /\ key \in DOMAIN map
    /\ value = map[key]
    /\ map' = [other \in DOMAIN map \ {key} |-> map[other]]

\* A removal that finds nothing.
RemoveMissing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

Next ==
    \E key \in Keys :
        \/ GetMissing(key)
        \/ RemoveMissing(key)
        \/ \E value \in Values :
            \/ Insert(key, value)
            \/ InsertPresent(key, value)
            \/ Get(key, value)
            \/ Remove(key, value)

Spec == Init /\ [][Next]_map

TypeOK ==
    /\ DOMAIN map \subseteq Keys
    /\ \A key \in DOMAIN map : map[key] \in Values
=============================================================================
