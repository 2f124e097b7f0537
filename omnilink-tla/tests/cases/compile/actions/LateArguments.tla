---- MODULE LateArguments ----
(* An argument that depends on the next state is not evaluated once for all branches. *)
EXTENDS Integers
VARIABLES x, y
Late(late) == (x' = 1 \/ x' = 2) /\ y' = late
Nested(late) == Late(late + 1)
Init == x = 0 /\ y = 1
Next == y = 1 /\ Nested(x' * 10)
Spec == Init /\ [][Next]_<<x, y>>
====
