------------------------------- MODULE Cells --------------------------------
(* Two instances of one module, and actions over both. *)
EXTENDS Naturals

VARIABLES left, right

Left == INSTANCE Cell WITH cell <- left

Right == INSTANCE Cell WITH cell <- right

Init == left = 0 /\ right = 0

Exchange == left' = right /\ right' = left

Sum(result) == left + right = result /\ UNCHANGED <<left, right>>

Next ==
    \/ \E value \in 0..2 : (Left!Set(value) /\ UNCHANGED right) \/ (Right!Set(value) /\ UNCHANGED left)
    \/ \E value \in 0..4 : (Left!Get(value) /\ UNCHANGED right) \/ (Right!Get(value) /\ UNCHANGED left)
    \/ \E by \in 1..2 : left < 3 /\ Left!Add(by) /\ UNCHANGED right
    \/ Exchange
    \/ \E result \in 0..6 : Sum(result)
=============================================================================
