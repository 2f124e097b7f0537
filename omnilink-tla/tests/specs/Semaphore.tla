------------------------------ MODULE Semaphore ------------------------------
EXTENDS Naturals
CONSTANTS Users, Permits
VARIABLES count, inside
vars == <<count, inside>>
Init == count = Permits /\ inside = {}
P(u) == /\ u \notin inside /\ count > 0
        /\ count' = count - 1
        /\ inside' = inside \cup {u}
V(u) == /\ u \in inside
        /\ count' = count + 1
        /\ inside' = inside \ {u}
Next == \E u \in Users : P(u) \/ V(u)
Spec == Init /\ [][Next]_vars
\* Natural subtraction has no guard here: `count` could go below zero.
Unguarded == \E u \in Users : u \notin inside /\ count' = count - 1 /\ inside' = inside \cup {u}
TypeOK == count \in Nat /\ inside \subseteq Users
===============================================================================
