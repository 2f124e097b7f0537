------------------------------- MODULE Store --------------------------------
(* A dictionary with reads. Its keys are model values, which programs record as strings. *)
EXTENDS Naturals, FiniteSets

CONSTANT Keys

VARIABLE store  \* A function from the keys that are present to their values; 0 stands for none in results.

Old(key) == IF key \in DOMAIN store THEN store[key] ELSE 0

Init == store = [key \in {} |-> 0]

Put(key, value, old) ==
    /\ old = Old(key)
    /\ store' = [k \in DOMAIN store \cup {key} |-> IF k = key THEN value ELSE store[k]]

Get(key, result) == result = Old(key) /\ UNCHANGED store

Delete(key, found) ==
    /\ found = (key \in DOMAIN store)
    /\ IF found THEN store' = [k \in DOMAIN store \ {key} |-> store[k]] ELSE UNCHANGED store

Count(result) == result = Cardinality(DOMAIN store) /\ UNCHANGED store

Next ==
    \/ \E key \in Keys, value \in 1..2, old \in 0..2 : Put(key, value, old)
    \/ \E key \in Keys, result \in 0..2 : Get(key, result)
    \/ \E key \in Keys, found \in BOOLEAN : Delete(key, found)
    \/ \E result \in 0..2 : Count(result)
=============================================================================
