---- MODULE Operators ----
(* Operators as arguments, LETs, recursion, and what is evaluated when. *)
EXTENDS Naturals, Sequences, FiniteSets

Apply2(F(_, _), a, b) == F(a, b)
ASSUME Apply2(=, 1, 1) /\ Apply2(\in, 1, {1}) /\ Apply2(/\, TRUE, TRUE) /\ ~Apply2(#, 1, 1)
ASSUME Apply2(\cup, {1}, {2}) = {1, 2} /\ Apply2(.., 1, 3) = {1, 2, 3}
ASSUME Apply2(LAMBDA a, b : a - b, 5, 3) = 2
Compose(F(_), G(_), x) == F(G(x))
ASSUME Compose(LAMBDA a : a * 2, LAMBDA a : a + 1, 3) = 8
ASSUME Compose(Cardinality, LAMBDA a : 1..a, 3) = 3
Outer(F(_, _)) == LET G(a, b) == F(b, a) IN Apply2(G, 1, 2)
ASSUME Outer( - ) = 1

a \prec b == a < b
ASSUME 1 \prec 2 /\ Apply2(\prec, 1, 2)
-. x == 0 - x
ASSUME -3 = 0 - 3
x ^+ == x + 1
ASSUME 3^+ = 4

RECURSIVE Even(_), Odd(_)
Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)
Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
ASSUME Even(10) /\ ~Odd(10)
ASSUME LET RECURSIVE E(_) RECURSIVE O(_)
           E(n) == IF n = 0 THEN TRUE ELSE O(n - 1)
           O(n) == IF n = 0 THEN FALSE ELSE E(n - 1)
       IN  E(8) /\ O(7)
fact[n \in 0..10] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
ASSUME fact[5] = 120
ack[m \in 0..2, n \in 0..9] ==
  IF m = 0 THEN n + 1 ELSE IF n = 0 THEN ack[m - 1, 1] ELSE ack[m - 1, ack[m, n - 1]]
ASSUME ack[2, 2] = 7
ASSUME LET g[i \in 0..4] == IF i = 0 THEN 0 ELSE i + g[i - 1]
           h == [g EXCEPT ![4] = @ + g[3], ![0] = @ - 1]
       IN  h[4] = 16 /\ h[0] = -1

\* What is not used is not evaluated.
First(p, q) == p
ASSUME First(1, Head(<<>>)) = 1
ASSUME LET unused == CHOOSE z \in {} : TRUE IN TRUE
ASSUME \A p, q \in {1, 2}, <<r, s>> \in {<<1, 2>>} : p + q + r + s > 4
ASSUME {p + q : p \in {1, 2}, q \in {10}} = {11, 12}
ASSUME [p \in {1}, q \in {2} |-> p + q] = [t \in {<<1, 2>>} |-> 3]
ASSUME [<<p, q>> \in {<<1, 2>>} |-> p + q][<<1, 2>>] = 3
ASSUME (CHOOSE <<p, q>> \in {<<1, 2>>, <<3, 1>>} : p > q) = <<3, 1>>
ASSUME [x |-> 1, y |-> <<2, 3>>].y[2] = 3
ASSUME [[x |-> <<1, 2>>] EXCEPT !.x[1] = @ + 10, !.x[2] = [z |-> @]].x[2].z = 2
Labelled == CASE 1 = 2 -> 3 [] OTHER -> lab :: TRUE
ASSUME Labelled
====
