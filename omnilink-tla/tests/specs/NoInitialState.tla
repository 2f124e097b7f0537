---- MODULE NoInitialState ----
\* Nothing satisfies Init.
EXTENDS Naturals
VARIABLE x
Init == x \in 1..3 /\ x > 5
Next == x' = x
====
