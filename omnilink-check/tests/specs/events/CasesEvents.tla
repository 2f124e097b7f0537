----------------------------- MODULE CasesEvents ----------------------------
(* What an event of Cases means, written out for TLC: the path of Next to its action. *)
EXTENDS Cases, Recorded

state == <<members, cell>>

Event(e, name) ==
    \/ \E elem \in 1..2, result \in 0..1 :
           /\ Is(e, "elem", elem) /\ Is(e, "result", result)
           /\ \/ name = "TryInsert" /\ TryInsert(elem, result)
              \/ name = "TryRemove" /\ TryRemove(elem, result)
              \/ name = "Contains" /\ Contains(elem, result)
    \/ \E value \in 0..2 :
           /\ Is(e, "value", value)
           /\ \/ name = "Set" /\ Set(value)
              \/ name = "Load" /\ Load(value)
              \/ name = "Touch" /\ Touch(value)
              \/ name = "Ensure" /\ Ensure(value)
              \/ name = "Replace" /\ Replace(value)

Inner(e, name) == FALSE
=============================================================================
