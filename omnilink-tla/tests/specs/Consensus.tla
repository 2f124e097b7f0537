------------------------------ MODULE Consensus ------------------------------
(* What a consensus algorithm is for: at most one value gets chosen.         *)
EXTENDS Naturals, FiniteSets
CONSTANT Value
VARIABLE chosen

Init == chosen = {}
Next == /\ chosen = {}
        /\ \E v \in Value : chosen' = {v}
Spec == Init /\ [][Next]_chosen

Agreement == Cardinality(chosen) =< 1
===============================================================================
