---- MODULE ErrorInvariantNotBoolean ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Inv == IF x = 0 THEN TRUE ELSE x + 1
====
