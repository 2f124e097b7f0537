---- MODULE LazyEvaluation ----
(* What is not needed is not evaluated: definitions, arguments, other branches, elements of functions. *)
EXTENDS Integers, Sequences
VARIABLES n, f
Bad == 1 \div (n - n)
Ignore(x) == TRUE
Pick(c, a, b) == IF c THEN a ELSE b
Init == n = 0 /\ f = <<>>
Next == /\ n < 4
        /\ LET bad == Head(<<>>) fine == n + 1
           IN  n' = Pick(TRUE, fine, bad)
        /\ Ignore(Bad) /\ Ignore(f[17])
        /\ f' = [i \in 1..n' |-> IF i > n + 1 THEN Bad ELSE i]
        /\ (n = 0 => n' = 1) /\ (n > 0 => f[n] = n)
        /\ ~(n = 0 /\ n' = 1 /\ f' = <<2>>)
Inv == /\ n = 0 \/ Head(f) = 1
       /\ (n > 0 /\ f[n] = n) \/ n = 0
       /\ \A i \in 1..n : i \in DOMAIN f /\ f[i] = i
       /\ [i \in {1, 2} |-> IF i = 2 THEN Bad ELSE i][1] = 1
       /\ LET g[i \in 1..100] == IF i = 100 THEN Bad ELSE i IN g[3] = 3
====
