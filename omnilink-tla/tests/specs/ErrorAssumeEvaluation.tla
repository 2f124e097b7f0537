---- MODULE ErrorAssumeEvaluation ----
EXTENDS Sequences, Naturals
VARIABLE x
ASSUME Head(<<>>) = 1
Init == x = 0
Next == x' = x
====
