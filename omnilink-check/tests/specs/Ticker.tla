------------------------------- MODULE Ticker -------------------------------
(* A call with no bound on its inner steps. *)
EXTENDS Naturals

VARIABLE ticks

Init == ticks = 0

Tick_Step == ticks' = ticks + 1

Tick_Done == UNCHANGED ticks

Read(result) == ticks = result /\ UNCHANGED ticks

Half_Step(by) == ticks' = ticks + by

\* Two calls whose steps are the same and whose ends are not.
Slow_Step == ticks < 1 /\ ticks' = ticks + 1

Slow_Done == ticks = 7 /\ UNCHANGED ticks

Fast_Step == ticks < 1 /\ ticks' = ticks + 1

Fast_Done == ticks = 1 /\ UNCHANGED ticks

Next ==
    \/ Tick_Step \/ Tick_Done
    \/ Slow_Step \/ Slow_Done \/ Fast_Step \/ Fast_Done
    \/ \E result \in Nat : Read(result)
    \/ \E by \in Nat : Half_Step(by)
=============================================================================
