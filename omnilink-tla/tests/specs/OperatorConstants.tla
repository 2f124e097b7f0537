--------------------------- MODULE OperatorConstants ---------------------------
EXTENDS Naturals, Sequences
CONSTANTS Cell, Advance(_), Better(_, _), _ (+) _, Start
VARIABLE v
ASSUME \A a, b \in Cell : Better(a, b) \in BOOLEAN
Init == v \in Start
Next == \/ v' = Advance(v)
        \/ \E c \in Cell : Better(c, v) /\ v' = c
        \/ v' = v (+) 1
\* For the configurations.
Succ5(n) == (n + 1) % 5
Less(a, b) == a < b
Plus(a, b) == (a + b) % 7
Double(n) == (n * 2) % 7
Never(a, b) == FALSE
First(a, b) == a
ZeroSix == {0, 6}
InCell == v \in Cell
=================================================================================
