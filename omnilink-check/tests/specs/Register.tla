------------------------------ MODULE Register ------------------------------
(* A register whose next-state relation says as much as its actions: guards, bounds that depend on the state, and       *)
(* expressions passed to actions that do not look at the state themselves.                                              *)
EXTENDS Naturals

VARIABLES value, sealed

vars == <<value, sealed>>

Init == value = 0 /\ sealed = FALSE

Write(new) == value' = new /\ UNCHANGED sealed

Read(result) == result = value /\ UNCHANGED vars

Peek(result) == UNCHANGED vars

Swap(old, new) == value' = new /\ UNCHANGED sealed

Seal == sealed' = TRUE /\ UNCHANGED value

Unseal(by) == sealed' = FALSE /\ value' = by

Bump(by) == value' = value + by /\ UNCHANGED sealed

Double(to) == value' = to /\ UNCHANGED sealed

Next ==
    \/ ~sealed /\ \E new \in 0..3 : Write(new)
    \/ \E result \in 0..4 : Read(result)
    \/ Peek(value)
    \/ \E new \in (value + 1)..4 : Swap(value, new)
    \/ IF sealed THEN \E by \in {value, 0} : Unseal(by) ELSE Seal
    \/ \E by \in 1..2 : value + by <= 4 /\ Bump(by)
    \/ LET twice == value * 2 IN twice <= 4 /\ Double(twice)
=============================================================================
