---- MODULE ErrorInitDependent ----
\* y is read in Init before it has a value.
EXTENDS Naturals
VARIABLES x, y
Init == x = y + 1 /\ y = 1
Next == UNCHANGED <<x, y>>
====
