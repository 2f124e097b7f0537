---- MODULE ErrorMixedTypes ----
\* Numbers and strings cannot be compared.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = IF x = 3 THEN "done" ELSE x + 1
Inv == x # "done"
====
