---- MODULE ErrorChoose ----
\* Nothing left to choose from.
VARIABLE left
Init == left = {1, 2, 3}
Next == LET x == CHOOSE x \in left : TRUE IN left' = left \ {x}
====
