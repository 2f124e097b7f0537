------------------------------ MODULE TokenRing ------------------------------
(* Self-stabilisation: whatever the counters are, one privilege remains.      *)
EXTENDS Naturals, FiniteSets
CONSTANTS N, K
VARIABLE x
Node == 0..N
Init == x \in [Node -> 0..K-1]
Privileged(i) == IF i = 0 THEN x[0] = x[N] ELSE x[i] # x[i-1]
Move(i) == /\ Privileged(i)
           /\ x' = [x EXCEPT ![i] = IF i = 0 THEN (@ + 1) % K ELSE x[i-1]]
Next == \E i \in Node : Move(i)
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Privileges == Cardinality({i \in Node : Privileged(i)})
SomePrivilege == Privileges >= 1
Stable == Privileges = 1
Stays == [][Stable => Stable']_x
Converges == <>[]Stable
===============================================================================
