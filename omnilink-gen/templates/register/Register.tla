------------------------------ MODULE Register ------------------------------
(***************************************************************************)
(* A register that holds one value. Reading and writing it are one step    *)
(* each: a read returns what was written last.                             *)
(***************************************************************************)
EXTENDS Naturals

VARIABLE value  \* What was written last.

Init == value = 0

Write(new) == value' = new

Read(result) ==
    /\ result = value
    /\ UNCHANGED value

Next ==
    \/ \E new \in Nat : Write(new)
    \/ \E result \in Nat : Read(result)

Spec == Init /\ [][Next]_value

TypeOK == value \in Nat
=============================================================================
