------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* A first-in, first-out queue without bound, as its users see it: every   *)
(* call takes effect in one step, at some moment between its beginning and *)
(* its end.                                                                *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLE queue  \* The elements, oldest first.

Init == queue = <<>>

Enqueue(elem) ==
    queue' = Append(queue, elem)

Dequeue(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)

\* A dequeue that found nothing.
DequeueEmpty ==
    /\ queue = <<>>
    /\ UNCHANGED queue

Next ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ DequeueEmpty

Spec == Init /\ [][Next]_queue

TypeOK == queue \in Seq(Nat)
=============================================================================
