---- MODULE InitialStates ----
\* Initial states by membership, disjunction, quantifiers, in the order of reading; duplicates are counted.
EXTENDS Naturals, FiniteSets
VARIABLES a, b, c
Init == /\ a \in 1..3 \/ a \in {2, 7}
        /\ \E k \in 0..1 : b = a + k
        /\ c \in [{"l", "r"} -> SUBSET {a, b}]
        /\ Cardinality(c["l"]) <= 1
        /\ c.r = {} => b > 2
Next == UNCHANGED <<a, b>> /\ c' = [c EXCEPT !.l = c.r, !.r = c["l"]]
Inv == a <= b
====
