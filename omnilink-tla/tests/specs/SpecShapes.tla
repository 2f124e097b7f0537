---- MODULE SpecShapes ----
(* The ways to put a specification together: through definitions, with fairness, with nested conjunctions. *)
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
InitX == x = 0
InitY == y \in {0, 1}
Inc == x' = (x + 1) % 3 /\ UNCHANGED y
Flip == y' = 1 - y /\ UNCHANGED x
Next == Inc \/ Flip
Machine == [][Next]_vars
Fair == WF_vars(Inc) /\ SF_<<x, y>>(Flip)
Spec == (InitX /\ InitY) /\ Machine /\ Fair
Flat == InitX /\ InitY /\ [][Next]_<<x, y>> /\ \A i \in 0..1 : WF_vars(y = i /\ Flip)
Layered == /\ InitX
           /\ /\ InitY
              /\ [][Inc \/ Flip]_vars
Stuttering == InitX /\ y = 0 /\ [][FALSE]_vars
Inv == x \in 0..2 /\ y \in 0..1
Turns == []<>(x = 2)
Box == [][x' # x => y' = y]_vars
====
