------------------------------ MODULE Snapshots ------------------------------
(***************************************************************************)
(* A counter, and readers that remember what it was: in one call and look  *)
(* later, or during one call.                                              *)
(***************************************************************************)
EXTENDS Integers, TLC

CONSTANTS Readers, Results

VARIABLES count, taken
vars == <<count, taken>>

Init == count = 0 /\ taken = [reader \in {} |-> 0]

Add == count' = count + 1 /\ UNCHANGED taken

Take(reader) == taken' = (reader :> count) @@ taken /\ UNCHANGED count

\* What a reader has taken.
Look(reader, result) ==
    /\ reader \in DOMAIN taken
    /\ taken[reader] = result
    /\ UNCHANGED vars

\* A reader takes it, and gives it back.
Scan_Step(reader, result) ==
    /\ reader \notin DOMAIN taken
    /\ taken' = (reader :> count) @@ taken
    /\ UNCHANGED count

Scan_Done(reader, result) ==
    /\ reader \in DOMAIN taken
    /\ taken[reader] = result
    /\ taken' = [other \in DOMAIN taken \ {reader} |-> taken[other]]
    /\ UNCHANGED count

Next ==
    \/ Add
    \/ \E reader \in Readers :
        \/ Take(reader)
        \/ \E result \in Results : Look(reader, result) \/ Scan_Step(reader, result) \/ Scan_Done(reader, result)
=============================================================================
