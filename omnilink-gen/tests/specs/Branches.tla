------------------------------ MODULE Branches ------------------------------
\* LET, IF and CASE on the way to actions.
EXTENDS Naturals, Sequences
VARIABLES buffer, mode

Init == buffer = <<>> /\ mode = "idle"

Push(elem) == buffer' = Append(buffer, elem) /\ UNCHANGED mode
Pop(elem) == buffer # <<>> /\ elem = Head(buffer) /\ buffer' = Tail(buffer) /\ UNCHANGED mode
Full == UNCHANGED <<buffer, mode>>
Switch(to) == mode' = to /\ UNCHANGED buffer

Next ==
    LET Capacity == 3
        Elems == 1..Capacity
    IN  \/ IF Len(buffer) < Capacity
           THEN \E elem \in Elems : Push(elem)
           ELSE Full
        \/ buffer # <<>> /\ Pop(Head(buffer))
        \/ CASE mode = "idle" -> Switch("busy")
             [] mode = "busy" -> \E to \in {"idle", "stopped"} : Switch(to)
             [] OTHER -> Switch("idle")
=============================================================================
