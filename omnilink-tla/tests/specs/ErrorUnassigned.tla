---- MODULE ErrorUnassigned ----
\* One branch forgets a variable.
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x < 2 /\ x' = x + 1 /\ UNCHANGED y
        \/ x = 2 /\ x' = 0
====
