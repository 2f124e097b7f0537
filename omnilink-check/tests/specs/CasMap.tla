------------------------------- MODULE CasMap -------------------------------
(* Registers by key. *)
EXTENDS Naturals

VARIABLE present

Keys == 1..2

Init == present = [key \in Keys |-> 0]

Get(key, result) == result = present[key] /\ UNCHANGED present

Put(key, value) == present' = [present EXCEPT ![key] = value]

CompareAndSet(key, old, new, result) ==
    /\ result = (present[key] = old)
    /\ IF result THEN present' = [present EXCEPT ![key] = new] ELSE UNCHANGED present

Next ==
    \E key \in Keys :
        \/ \E result \in Nat : Get(key, result)
        \/ \E value \in Nat : Put(key, value)
        \/ \E old, new \in Nat, result \in BOOLEAN : CompareAndSet(key, old, new, result)
=============================================================================
