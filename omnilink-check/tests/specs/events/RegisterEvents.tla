---------------------------- MODULE RegisterEvents --------------------------
(* What an event of Register means, written out for TLC: the path of Next to its action. *)
EXTENDS Register, Recorded

state == <<value, sealed>>

Event(e, name) ==
    CASE name = "Write" -> ~sealed /\ \E new \in 0..3 : Is(e, "new", new) /\ Write(new)
      [] name = "Read" -> \E result \in 0..4 : Is(e, "result", result) /\ Read(result)
      [] name = "Peek" -> Is(e, "result", value) /\ Peek(value)
      [] name = "Swap" -> Is(e, "old", value) /\ \E new \in (value + 1)..4 : Is(e, "new", new) /\ Swap(value, new)
      [] name = "Seal" -> ~sealed /\ Seal
      [] name = "Unseal" -> sealed /\ \E by \in {value, 0} : Is(e, "by", by) /\ Unseal(by)
      [] name = "Bump" -> \E by \in 1..2 : Is(e, "by", by) /\ value + by <= 4 /\ Bump(by)
      [] name = "Double" -> value * 2 <= 4 /\ Is(e, "to", value * 2) /\ Double(value * 2)

Inner(e, name) == FALSE
=============================================================================
