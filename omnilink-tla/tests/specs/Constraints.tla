------------------------------ MODULE Constraints ------------------------------
(* State constraints cut behind a state, action constraints cut a step; what is  *)
(* cut is still checked against invariants or not even counted: see the numbers. *)
EXTENDS Integers
VARIABLES x, y
Init == x \in 0..1 /\ y = 0
Right == x' = x + 1 /\ y' = y
Up == y' = y + 1 /\ x' = x
Back == x > 0 /\ x' = 0 /\ UNCHANGED y
Next == Right \/ Up \/ Back
InBox == x <= 4 /\ y <= 3
Triangle == x + y <= 5
NoJump == x' # 0 \/ x = 0
Lanes == y' = y \/ x = 2
AllowsEdge == x <= 5 /\ y <= 4
Strict == x <= 4
NotAtStart == x # 1 \/ y # 0
=================================================================================
