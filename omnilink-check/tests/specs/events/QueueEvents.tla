----------------------------- MODULE QueueEvents ----------------------------
(* What an event of Queue means, written out for TLC: the path of Next to its action. *)
EXTENDS Queue, Recorded

state == queue

Event(e, name) ==
    CASE name = "Enqueue" -> \E elem \in 1..3 : Is(e, "elem", elem) /\ Enqueue(elem)
      [] name = "Dequeue" -> \E result \in 0..3 : Is(e, "result", result) /\ Dequeue(result)
      [] name = "Length" -> \E result \in 0..7 : Is(e, "result", result) /\ Length(result)

Inner(e, name) == FALSE
=============================================================================
