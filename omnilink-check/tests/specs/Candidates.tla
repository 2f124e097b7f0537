----------------------------- MODULE Candidates -----------------------------
(***************************************************************************)
(* What an event may stand for is decided by its first inner step, and     *)
(* open again where the search goes back behind that.                      *)
(***************************************************************************)
EXTENDS Sequences

VARIABLE log

Init == log = <<>>

First == log' = Append(log, "first")
Second == log' = Append(log, "second")

\* It begins well only where the rest cannot come.
Slow_Step == log = <<"first">> /\ log' = <<"slow">>
Slow_Done == log = <<"never">> /\ log' = <<>>
Quick == log = <<"second", "first">> /\ log' = <<"quick">>

\* It ends, but in nothing that is of use.
Idle_Step == log = <<>> /\ log' = <<"idle">>
Idle_Done == log = <<"idle">> /\ log' = <<"done">>
Busy == log = <<"idle", "first">> /\ log' = <<"busy">>
IsBusy == log = <<"busy">> /\ UNCHANGED log

Next ==
    \/ First \/ Second \/ Quick \/ Busy \/ IsBusy
    \/ Slow_Step \/ Slow_Done \/ Idle_Step \/ Idle_Done
=============================================================================
