------------------------------ MODULE Partial -------------------------------
(* Actions that cannot be evaluated in some states. *)
EXTENDS Naturals, Sequences, TLC

VARIABLES map, stack

vars == <<map, stack>>

Init == map = <<>> /\ stack = <<>>

Put(key, value) == map' = (key :> value) @@ map /\ UNCHANGED stack

Get(key, result) == map[key] = result /\ UNCHANGED vars

\* Of a map with something in it, this would be to compare numbers with a string.
Forget == map' = [key \in DOMAIN map \ {"all"} |-> map[key]] /\ UNCHANGED stack

Push(value) == stack' = <<value>> \o stack /\ UNCHANGED map

Pop(result) == Head(stack) = result /\ stack' = Tail(stack) /\ UNCHANGED map

Either(value) ==
    \/ map[value] = value /\ stack' = <<>> /\ UNCHANGED map
    \/ stack' = <<value>> \o stack /\ UNCHANGED map

Size(result) == Len(stack) = result /\ UNCHANGED vars

Next ==
    \/ \E key, value \in 1..2 : Put(key, value) \/ Get(key, value)
    \/ \E value \in 1..2 : Push(value) \/ Pop(value) \/ Either(value)
    \/ \E result \in 0..3 : Size(result)
    \/ Forget
=============================================================================
