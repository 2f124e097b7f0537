----------------------------- MODULE ChoiceEvents ---------------------------
(* What an event of Choice means, written out for TLC: the path of Next to its action. *)
EXTENDS Choice, Recorded

state == <<number, bag>>

Event(e, name) ==
    CASE name = "Roll" -> Roll
      [] name = "Nudge" -> \E by \in 1..2 : Is(e, "by", by) /\ Nudge(by)
      [] name = "See" -> \E result \in 0..3 : Is(e, "result", result) /\ See(result)
      [] name = "Add" -> \E item \in 1..2 : Is(e, "item", item) /\ Add(item)
      [] name = "Lose" -> Lose
      [] name = "Take" -> \E item \in 1..2 : Is(e, "item", item) /\ Take(item)
      [] name = "Trade" -> \E item \in 1..2 : Is(e, "item", item) /\ Trade(item)
      [] name = "Holds" -> \E items \in SUBSET (1..2) : Is(e, "items", items) /\ Holds(items)

Inner(e, name) == FALSE
=============================================================================
