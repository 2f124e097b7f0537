---- MODULE Nested ----
EXTENDS Naturals
---- MODULE Inner ----
EXTENDS Sequences
CONSTANT n
VARIABLE q
---- MODULE Innermost ----
Deep == 1
=====
LOCAL M == INSTANCE Innermost
Push(x) == q' = Append(q, x)
======
VARIABLE queue
In == INSTANCE Inner WITH n <- 3, q <- queue
Next == \E x \in 1..3 : In!Push(x)
====
