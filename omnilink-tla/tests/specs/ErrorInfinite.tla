---- MODULE ErrorInfinite ----
\* Nat can be tested for membership but not enumerated.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == \E n \in Nat : n > x /\ x' = n
====
