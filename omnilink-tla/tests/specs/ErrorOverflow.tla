---- MODULE ErrorOverflow ----
EXTENDS Naturals
VARIABLE x
Init == x = 3
Next == x' = x * x
====
