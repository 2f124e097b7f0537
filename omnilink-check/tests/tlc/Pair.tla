-------------------------------- MODULE Pair --------------------------------
(* Two counters, either of which may move. *)
LOCAL INSTANCE Naturals

VARIABLES left, right

Left == INSTANCE Counter WITH count <- left, Steps <- 1 .. 3
Right == INSTANCE Counter WITH count <- right, Steps <- Nat

Init == Left!Init /\ Right!Init

Next ==
    \/ Left!Next /\ UNCHANGED right
    \/ Right!Next /\ UNCHANGED left
=============================================================================
