-------------------------------- MODULE Bulk --------------------------------
(* Calls that take effect piece by piece. `Drain` may stop at any time, so its end says nothing about its steps. *)
EXTENDS Naturals, Sequences

VARIABLES log, pushed, pushes

vars == <<log, pushed, pushes>>

Init == log = <<>> /\ pushed = {} /\ pushes = 0

Push_Step(items) ==
    /\ \E item \in items \ pushed : log' = Append(log, item) /\ pushed' = pushed \cup {item}
    /\ UNCHANGED pushes

Push_Done(items) == items \subseteq pushed /\ pushes' = pushes + 1 /\ UNCHANGED <<log, pushed>>

Drain_Step(limit) == log # <<>> /\ Head(log) <= limit /\ log' = Tail(log) /\ UNCHANGED <<pushed, pushes>>

Drain_Done(limit) == UNCHANGED vars

First(result) == log # <<>> /\ Head(log) = result /\ UNCHANGED vars

Length(result) == Len(log) = result /\ UNCHANGED vars

Pushes(result) == pushes = result /\ UNCHANGED vars

Next ==
    \/ \E items \in SUBSET (1..2) : Push_Step(items) \/ Push_Done(items)
    \/ \E limit \in 1..2 : Drain_Step(limit) \/ Drain_Done(limit)
    \/ \E result \in 0..2 : First(result) \/ Length(result) \/ Pushes(result)
=============================================================================
