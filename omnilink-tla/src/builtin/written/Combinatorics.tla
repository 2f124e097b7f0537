----------------------------- MODULE Combinatorics -----------------------------
\* The operator choose is native.
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
===============================================================================
