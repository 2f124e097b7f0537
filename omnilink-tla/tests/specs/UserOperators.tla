----------------------------- MODULE UserOperators -----------------------------
(* Infix, prefix and postfix operators defined here, with their precedences.      *)
EXTENDS Naturals, Sequences
VARIABLES x, y
a ++ b == a + b
a -- b == a - b
a \prec b == a[1] < b[1]
a || b == <<a, b>>
a && b == a /\ b
a %% b == a % b
a \otimes b == a * b
a ## b == a + 2 * b
a $ b == 10 * a + b
a ?? b == IF a = 0 THEN b ELSE a
a <: b == a < b
a \sqsubseteq b == \A i \in DOMAIN a : i \in DOMAIN b /\ a[i] = b[i]
a \bullet b == Append(a, b)
n^+ == n + 1
n^# == n * n
a \star b == a - 2 * b
a ... b == {i \in a..b : i % 2 = 0}
a \sim b == a % 3 = b % 3
-. a == 0 - a
ASSUME /\ 1 ++ 2 \otimes 3 = 7
       /\ 7 -- 2 ++ 1 = 6 \/ TRUE
       /\ <<1, 9>> \prec <<2, 0>>
       /\ (1 || 2) = <<1, 2>>
       /\ (TRUE && (1 <: 2))
       /\ 7 %% 4 = 3
       /\ 1 ## 2 = 5
       /\ 3 $ 4 = 34
       /\ (0 ?? 5) = 5
       /\ <<1>> \sqsubseteq <<1, 2>>
       /\ <<1>> \bullet 2 = <<1, 2>>
       /\ 3^+ = 4 /\ 3^# = 9 /\ (3^+)^# = 16
       /\ 9 \star 2 = 5
       /\ (1 ... 6) = {2, 4, 6}
       /\ 4 \sim 7
       /\ -3 + 5 = 2
       /\ - 2 * 3 = -6
       /\ 2 - -3 = 5
Init == x = 0 /\ y \in 1 ... 4
Next == /\ x' = (x^+) %% 6
        /\ y' = IF x' \sim 0 THEN (y ++ 2) %% 5 ELSE y
Inv == (x <: 6) && (y <: 5)
=================================================================================
