---- MODULE ErrorUnassignedInit ----
VARIABLES x, y
Init == x = 0 /\ (x = 0 \/ y = 0)
Next == UNCHANGED <<x, y>>
====
