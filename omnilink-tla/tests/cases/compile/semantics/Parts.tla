---- MODULE Parts ----
\* Parts of definitions by their places and labels, and theorems as values.
EXTENDS Integers, Sequences, FiniteSets

Listed(a) == /\ a > 0
             /\ \E x \in 1..a, y \in 1..7 : x + y = a
             /\ LET d == a + 1 IN d * 2 = 6
ASSUME Listed(2)!1
ASSUME ~ Listed(0)!1
ASSUME Listed(3)!2!(1, 2)
ASSUME ~ Listed(3)!2!(1, 3)
ASSUME Listed(3)!2!(1, 2)!1 = 3
ASSUME Listed(3)!2!1 = 1..3
ASSUME Listed(2)!3
ASSUME Listed(4)!3!1!1 = 10
ASSUME Listed(4)!3!1!1!2 = 2
ASSUME Listed(4)!3!<<!<< = 10
ASSUME Listed(4)!3!1!>> = 6
ASSUME Listed(3)!: = Listed(3)

Infix == TRUE /\ FALSE /\ TRUE
ASSUME Infix!1 = FALSE
ASSUME Infix!2 = TRUE
ASSUME Infix!1!1 = TRUE

Labelled(n) == \A x \in 1..n : lab(x) :: (x > 1 => inner :: x < n)
ASSUME Labelled(3)!lab(1)
ASSUME ~ Labelled(3)!lab(3)
ASSUME Labelled(3)!lab(2)!inner
ASSUME ~ Labelled(3)!lab(3)!inner
ASSUME Labelled(3)!(2)!1
ASSUME ~ Labelled(3)!(3)!2

Cases(n) == IF n = 0 THEN "none" ELSE <<n, {n, 5}, [a |-> n], [k \in 1..n |-> k * n]>>
ASSUME Cases(1)!1 = FALSE
ASSUME Cases(1)!2 = "none"
ASSUME Cases(1)!3!1 = 1
ASSUME Cases(1)!3!2!2 = 5
ASSUME Cases(2)!3!4!1 = 1..2
ASSUME Cases(2)!3!4!(3) = 6
Filter(S) == {e \in S : e > 3}
ASSUME Filter({})!(4) /\ ~ Filter({})!(3)
ASSUME Filter({1})!1 = {1}
Mapped(S) == {e * f : e \in S, f \in S}
ASSUME Mapped({})!(2, 3) = 6
Chosen(S) == CHOOSE e \in S : e = 1
ASSUME Chosen({})!(1)

THEOREM Small == \A n \in 1..3 : n < 4
THEOREM Named == ASSUME NEW n \in Nat PROVE n >= 0
ASSUME Small
ASSUME Small!:
ASSUME Small!(2)
ASSUME ~ Small!(4)

ASSUME +(1, 2) = 3
ASSUME -.(1) = 0 - 1
ASSUME \o(<<1>>, <<2>>) = <<1, 2>>
ASSUME \cup({1}, {2}) = {1, 2}
====
