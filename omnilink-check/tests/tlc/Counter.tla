------------------------------- MODULE Counter ------------------------------
(* What it counts in is for those who instantiate it to say. *)
LOCAL INSTANCE Naturals

CONSTANT Steps

VARIABLE count

LOCAL Fits(by) ==
    /\ by > 0
    /\ count + by < 10

Init == count = 0

Add(by) == count' = count + by

Reset == count' = 0

Adding(steps) == \E by \in steps : Fits(by) /\ Add(by)

Next ==
    \/ Adding(Steps)
    \/ count > 5 /\ Reset
=============================================================================
