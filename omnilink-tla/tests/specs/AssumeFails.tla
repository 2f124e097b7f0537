---- MODULE AssumeFails ----
\* Named and unnamed assumptions; the second one is false.
EXTENDS Integers, FiniteSets
CONSTANTS Replicas, Quorum
VARIABLE x
ASSUME Positive == Quorum > 0
ASSUME Majority == 2 * Quorum > Cardinality(Replicas)
Init == x = 0
Next == x' = x
====
