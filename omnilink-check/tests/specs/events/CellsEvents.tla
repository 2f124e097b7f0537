----------------------------- MODULE CellsEvents ----------------------------
(* What an event of Cells means, written out for TLC: the path of Next to its action. *)
EXTENDS Cells, Recorded

state == <<left, right>>

Event(e, name) ==
    CASE name = "Left!Set" -> \E value \in 0..2 : Is(e, "value", value) /\ Left!Set(value) /\ UNCHANGED right
      [] name = "Right!Set" -> \E value \in 0..2 : Is(e, "value", value) /\ Right!Set(value) /\ UNCHANGED left
      [] name = "Left!Get" -> \E value \in 0..4 : Is(e, "value", value) /\ Left!Get(value) /\ UNCHANGED right
      [] name = "Right!Get" -> \E value \in 0..4 : Is(e, "value", value) /\ Right!Get(value) /\ UNCHANGED left
      [] name = "Left!Add" -> \E by \in 1..2 : Is(e, "by", by) /\ left < 3 /\ Left!Add(by) /\ UNCHANGED right
      [] name = "Exchange" -> Exchange
      [] name = "Sum" -> \E result \in 0..6 : Is(e, "result", result) /\ Sum(result)

Inner(e, name) == FALSE
=============================================================================
