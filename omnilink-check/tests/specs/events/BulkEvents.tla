------------------------------ MODULE BulkEvents ----------------------------
(* What an event of Bulk means, written out for TLC: the path of Next to its action, and to its inner steps. *)
EXTENDS Bulk, Recorded

state == <<log, pushed, pushes>>

PushStep(e) == \E items \in SUBSET (1..2) : Is(e, "items", items) /\ Push_Step(items)

DrainStep(e) == \E limit \in 1..2 : Is(e, "limit", limit) /\ Drain_Step(limit)

Event(e, name) ==
    CASE name \in {"Push", "Push_Done"} -> \E items \in SUBSET (1..2) : Is(e, "items", items) /\ Push_Done(items)
      [] name \in {"Drain", "Drain_Done"} -> \E limit \in 1..2 : Is(e, "limit", limit) /\ Drain_Done(limit)
      [] name = "Push_Step" -> PushStep(e)
      [] name = "Drain_Step" -> DrainStep(e)
      [] name = "First" -> \E result \in 0..2 : Is(e, "result", result) /\ First(result)
      [] name = "Length" -> \E result \in 0..2 : Is(e, "result", result) /\ Length(result)
      [] name = "Pushes" -> \E result \in 0..2 : Is(e, "result", result) /\ Pushes(result)

Inner(e, name) ==
    CASE name = "Push" -> PushStep(e)
      [] name = "Drain" -> DrainStep(e)
      [] OTHER -> FALSE
=============================================================================
