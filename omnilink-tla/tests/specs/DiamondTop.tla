---- MODULE DiamondTop ----
EXTENDS DiamondLeft, DiamondRight, Naturals
Secret == 4
vars == <<base, left, right>>
Init == LeftInit /\ RightInit
Next == \/ LeftStep /\ UNCHANGED right
        \/ RightStep /\ UNCHANGED left
Spec == Init /\ [][Next]_vars
Inv == left \subseteq Index /\ Cardinality(left) <= Size /\ Secret = 4 /\ right[1] = 3
====
