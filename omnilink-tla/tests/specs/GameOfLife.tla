------------------------------ MODULE GameOfLife ------------------------------
EXTENDS Integers, FiniteSets
CONSTANT N
VARIABLE grid
Wrap(i) == (i + N) % N
Cells == {<<x, y>> : x, y \in 0 .. N - 1}
Around(c) == {<<Wrap(c[1] + dx), Wrap(c[2] + dy)>> : dx, dy \in {-1, 0, 1}} \ {c}
Living(c) == Cardinality({d \in Around(c) : grid[d]})
Init == grid \in [Cells -> BOOLEAN]
Next == grid' = [c \in Cells |-> \/ Living(c) = 3
                                 \/ grid[c] /\ Living(c) = 2]
Population == Cardinality({c \in DOMAIN grid : grid[c]})
Fits == Population <= N * N
===============================================================================
