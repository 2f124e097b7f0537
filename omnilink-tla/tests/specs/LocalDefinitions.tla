---- MODULE LocalDefinitions ----
(* LOCAL instances and definitions, declarations after definitions, names that differ in scope only. *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
Twice(x) == LET x2 == x + x IN x2
Shadow(S) == {y \in S : LET z == y IN z > 1}
CONSTANT Top
VARIABLE level
LOCAL Step(n) == (level + n) % (Top + 1)
VARIABLE trail
vars == <<level, trail>>
Init == level = 0 /\ trail = <<>>
Next == \E n \in 1..2 : /\ level' = Step(n)
                        /\ trail' = IF Len(trail) = 2 THEN Tail(Append(trail, n)) ELSE Append(trail, n)
Spec == Init /\ [][Next]_vars
Inv == /\ Twice(level) <= 2 * Top
       /\ Shadow({0, 1, 2, 3}) = {2, 3}
       /\ \A n \in {level} : \E m \in 0..Top : m = n
       /\ LET n == 5 IN \A m \in {n} : (LET k == m IN k) = n
====
