---- MODULE ErrorOutsideDomain ----
\* The counter walks out of the function's domain.
EXTENDS Naturals
VARIABLES i, sum
f == [x \in 1..3 |-> x * x]
Init == i = 1 /\ sum = 0
Next == sum' = sum + f[i] /\ i' = i + 1
====
