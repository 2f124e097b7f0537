----------------------------- MODULE NestedModules -----------------------------
(* Modules inside of a module, instantiated there; the hidden-variable idiom.     *)
EXTENDS Naturals, Sequences
CONSTANT Data
VARIABLES in, out

-------------------------- MODULE Inner --------------------------
VARIABLE q
Init == q = <<>> /\ in = 0 /\ out = 0
Put(d) == Len(q) < 2 /\ q' = Append(q, d) /\ in' = d /\ UNCHANGED out
Get == q # <<>> /\ out' = Head(q) /\ q' = Tail(q) /\ UNCHANGED in
Next == Get \/ \E d \in Data : Put(d)
===================================================================

---- MODULE Arithmetic ----
CONSTANT base
Plus(n) == base + n
  ---- MODULE Deeper ----
  Twice(n) == Plus(Plus(n))
  =======================
D == INSTANCE Deeper
===========================

VARIABLE hidden
I(q) == INSTANCE Inner
Ten == INSTANCE Arithmetic WITH base <- 10
A(base) == INSTANCE Arithmetic
ASSUME Ten!Plus(5) = 15 /\ Ten!D!Twice(1) = 21
ASSUME A(3)!Plus(4) = 7 /\ A(3)!D!Twice(4) = 10

Start == I(hidden)!Init
Step == I(hidden)!Next
Order == hidden # <<>> => in = hidden[Len(hidden)]
================================================================================
