------------------------------ MODULE Counter ------------------------------
(***************************************************************************)
(* A counter that many threads share. Incrementing it and learning the new *)
(* value is one step: no two increments ever learn the same value.         *)
(***************************************************************************)
EXTENDS Naturals

VARIABLE count  \* How many increments there were.

Init == count = 0

\* An increment that learned the new value.
Increment(new) ==
    /\ new = count + 1
    /\ count' = new

\* Looking at the counter.
Read(value) ==
    /\ value = count
    /\ UNCHANGED count

Next ==
    \/ \E new \in Nat : Increment(new)
    \/ \E value \in Nat : Read(value)

Spec == Init /\ [][Next]_count

TypeOK == count \in Nat
=============================================================================
