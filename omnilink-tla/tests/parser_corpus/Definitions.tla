Text before the module is prose, even --- MODULE with too few dashes.
-------- MODULE Definitions ----------------
EXTENDS Naturals, Sequences,
        FiniteSets

CONSTANT N
CONSTANTS M, Op(_), Op2(_, _), _ \prec _, -. _, _^+
VARIABLE v
VARIABLES w, x1

ASSUME N \in Nat
ASSUMPTION M \in Nat /\ M > N
AXIOM Named == N > 0

--------------------------------------------

Plain == 1
LOCAL Hidden == 2
Unary(a) == a
Binary(a, b) == a + b
Higher(F(_), G(_, _), a) == G(F(a), a)
HigherInfix(_ \sqsubset _, a) == a \sqsubset a
a ++ b == a + b
a \sqsubseteq b == a \subseteq b
-. a == 0 - a
~ a == a = FALSE
a^# == a
LOCAL a -- b == a - b

RECURSIVE Fact(_), Even(_), Odd(_)
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
Even(n) == n = 0 \/ Odd(n - 1)
Odd(n) == n # 0 /\ Even(n - 1)

fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
pairs[a, b \in Nat, <<c, d>> \in Nat \X Nat] == a + b + c + d
LOCAL hidden[n \in Nat] == n

INSTANCE Bags
LOCAL INSTANCE TLC
I == INSTANCE Other
J == INSTANCE Other WITH x <- 1, y <- v + 1, F <- Op, \prec <- <, G <- LAMBDA a : a
LOCAL K == INSTANCE Other WITH F <- +
L(a, b) == INSTANCE Other WITH x <- a, y <- b
Uses == I!Op(1) + L(1, 2)!Op(3) + I!J!K + I!+(1, 2) + I!fact[3]

Same == 1 Line == 2
----
================================
After the end nothing counts: == /\ ( [ "
