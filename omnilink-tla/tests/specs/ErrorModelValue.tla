---- MODULE ErrorModelValue ----
\* A model value equals nothing else, but it is no number either.
EXTENDS Naturals
CONSTANT NoValue
VARIABLE x
Init == x = NoValue
Next == IF x = NoValue THEN x' = 0
        ELSE IF x = 2 THEN x' = NoValue + 1
        ELSE x' = x + 1
Inv == x = NoValue \/ x # NoValue
====
