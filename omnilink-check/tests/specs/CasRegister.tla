----------------------------- MODULE CasRegister ----------------------------
(* A register. *)
EXTENDS Naturals

VARIABLE present

Init == present = 0

Read(result) == result = present /\ UNCHANGED present

Write(value) == present' = value

CompareAndSet(old, new, result) ==
    /\ result = (present = old)
    /\ IF result THEN present' = new ELSE UNCHANGED present

Next ==
    \/ \E result \in Nat : Read(result)
    \/ \E value \in Nat : Write(value)
    \/ \E old, new \in Nat, result \in BOOLEAN : CompareAndSet(old, new, result)
=============================================================================
