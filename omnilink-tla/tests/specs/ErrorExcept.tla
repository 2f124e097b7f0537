---- MODULE ErrorExcept ----
\* EXCEPT outside of the domain changes nothing (TLC warns); on a set it is an error.
EXTENDS Naturals
VARIABLES f, n
Init == f = [x \in {1, 2} |-> 0] /\ n = 1
Next == /\ n' = n + 1
        /\ IF n < 4 THEN f' = [f EXCEPT ![n] = n] ELSE f' = [{f} EXCEPT ![n] = 1]
====
