----------------------------- MODULE Instances -----------------------------
\* Actions of other modules.
EXTENDS Naturals
VARIABLES left, right

Left == INSTANCE Cell WITH content <- left, Values <- 0..7
Right == INSTANCE Cell WITH content <- right, Values <- {"on", "off"}

Init == left = 0 /\ right = "off"

Swap == left' = 0 /\ right' = "on"

Next ==
    \/ Left!Access /\ UNCHANGED right
    \/ \E value \in {"on", "off"} : Right!Write(value) /\ UNCHANGED left
    \/ Swap
=============================================================================
