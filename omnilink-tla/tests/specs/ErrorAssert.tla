---- MODULE ErrorAssert ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x' = x + 1 /\ Assert(x < 3, <<"x is too large:", x>>)
====
