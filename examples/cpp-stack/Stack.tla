------------------------------- MODULE Stack -------------------------------
(***************************************************************************)
(* A last-in, first-out stack without bound, as its users see it: every    *)
(* call takes effect in one step, at some moment between its beginning and *)
(* its end.                                                                *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLE stack  \* The elements, the top one first.

Init == stack = <<>>

Push(elem) ==
    stack' = <<elem>> \o stack

Pop(elem) ==
    /\ stack # <<>>
    /\ elem = Head(stack)
    /\ stack' = Tail(stack)

\* A pop that found nothing.
PopEmpty ==
    /\ stack = <<>>
    /\ UNCHANGED stack

Next ==
    \/ \E elem \in Nat : Push(elem)
    \/ \E elem \in Nat : Pop(elem)
    \/ PopEmpty

Spec == Init /\ [][Next]_stack

TypeOK == stack \in Seq(Nat)
=============================================================================
