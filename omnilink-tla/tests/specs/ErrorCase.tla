---- MODULE ErrorCase ----
\* No arm applies.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (CASE x = 0 -> 1 [] x = 1 -> 2)
====
