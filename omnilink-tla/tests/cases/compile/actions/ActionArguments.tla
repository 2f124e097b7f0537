---- MODULE ActionArguments ----
(* Formulas that assign, given as arguments and run where they are used. *)
EXTENDS Integers
VARIABLES x, y
vars == <<x, y>>
Both(A, B) == A /\ B
Either(A, B) == A \/ B
Set(v, e) == v = e
Twice(Act(_), n) == Act(n) /\ Act(n)
Keep == UNCHANGED y
Into(v, S) == v \in S
WithLet(e) == LET act == x' = e  next == x' + 1  Do(z) == y' = z IN act /\ Do(next)
Init == Both(Set(x, 0), Either(Into(y, {0, 1}), Set(y, 2)))
Next == \/ Both(x' = (x + 1) % 4, Keep)
        \/ Either(Both(Set(x', 0), Set(y', x)), Both(Keep, Into(x', 0..1)))
        \/ Twice(LAMBDA n : x' = n, 3) /\ Keep
        \/ y = 2 /\ WithLet(x)
        \/ \A i \in {0, 1} : IF i = 0 THEN x' \in {5, 6} ELSE y' = 3
Spec == Init /\ [][Next]_vars
====
