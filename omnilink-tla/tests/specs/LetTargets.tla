------------------------------ MODULE LetTargets ------------------------------
(* Variables assigned under another name: of a LET, of a definition, of a parameter that was given one of these. *)
EXTENDS Integers
VARIABLES x, y, z
Init == LET start == x IN start = 0 /\ y = 0 /\ z \in 0..1
NextX == x'
Also == y
Give(target, value) == target = value
Up == LET next == x' IN x < 3 /\ next = x + 1 /\ UNCHANGED <<y, z>>
Down == LET here == x IN x > 0 /\ here' = x - 1 /\ (LET others == <<y, z>> IN UNCHANGED others)
Copy == LET next == Also'
            after == next
        IN /\ Give(after, x)
           /\ NextX = x
           /\ Give(z', 1 - z)
Any == LET target == y' IN target \in {x, z} /\ Give(NextX, 0) /\ z' = z
Next == Up \/ Down \/ Copy \/ Any
Bounded == x \in 0..3 /\ y \in 0..3
================================================================================
