------------------------------- MODULE Sizes -------------------------------
(***************************************************************************)
(* A map and what can be asked of all of it, as if every call happened at  *)
(* one moment. It is meant for checks of weaker consistency: `Len` and     *)
(* `Keys` of the maps here are not atomic, and docs/consistency.md         *)
(* describes how to ask for less.                                          *)
(*                                                                         *)
(* All outcomes of one operation have the same arguments, `key` and        *)
(* `value`. The other parameters are results.                              *)
(***************************************************************************)
EXTENDS FiniteSets, Naturals, TLC

VARIABLE map  \* A function from the keys that are there to their values.

Init == map = [key \in {} |-> 0]

-----------------------------------------------------------------------------
\* Outcomes of `Put`.

Insert(key, value) ==
    /\ key \notin DOMAIN map
    /\ map' = (key :> value) @@ map

Replace(key, value, old) ==
    /\ key \in DOMAIN map
    /\ old = map[key]
    /\ map' = [map EXCEPT ![key] = value]

\* Outcomes of `Remove`.

Remove(key, old) ==
    /\ key \in DOMAIN map
    /\ old = map[key]
    /\ map' = [other \in DOMAIN map \ {key} |-> map[other]]

RemoveMissing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

-----------------------------------------------------------------------------

Len(len) ==
    /\ len = Cardinality(DOMAIN map)
    /\ UNCHANGED map

Keys(keys) ==
    /\ keys = DOMAIN map
    /\ UNCHANGED map

Next ==
    \/ \E key \in Nat, value \in Nat : Insert(key, value)
    \/ \E key \in Nat, value \in Nat, old \in Nat : Replace(key, value, old)
    \/ \E key \in Nat, old \in Nat : Remove(key, old)
    \/ \E key \in Nat : RemoveMissing(key)
    \/ \E len \in Nat : Len(len)
    \/ \E keys \in SUBSET Nat : Keys(keys)

Spec == Init /\ [][Next]_map
=============================================================================
