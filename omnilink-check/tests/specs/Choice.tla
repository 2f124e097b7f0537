------------------------------- MODULE Choice -------------------------------
(* Actions with several outcomes, from several initial states. *)
EXTENDS Naturals

VARIABLES number, bag

vars == <<number, bag>>

Init == number \in 0..1 /\ bag = {}

Roll == number' \in 0..2 /\ UNCHANGED bag

Nudge(by) == number' \in {number, number + by} \cap 0..3 /\ UNCHANGED bag

See(result) == number = result /\ UNCHANGED vars

Add(item) == bag' = bag \cup {item} /\ UNCHANGED number

Lose == bag' \in SUBSET bag /\ UNCHANGED number

Take(item) == item \in bag /\ bag' = bag \ {item} /\ UNCHANGED number

Trade(item) ==
    \/ item \in bag /\ bag' = bag \ {item} /\ number' = item
    \/ number > 0 /\ bag' = bag \cup {item} /\ number' = number - 1

Holds(items) == bag = items /\ UNCHANGED vars

Next ==
    \/ Roll
    \/ \E by \in 1..2 : Nudge(by)
    \/ \E result \in 0..3 : See(result)
    \/ \E item \in 1..2 : Add(item) \/ Take(item) \/ Trade(item)
    \/ Lose
    \/ \E items \in SUBSET (1..2) : Holds(items)
=============================================================================
