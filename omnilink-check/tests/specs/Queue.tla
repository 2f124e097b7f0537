------------------------------- MODULE Queue --------------------------------
(* A queue. A dequeue of 0 found it empty. *)
EXTENDS Naturals, Sequences

VARIABLE queue  \* The elements, oldest first.

Init == queue = <<>>

Enqueue(elem) == queue' = Append(queue, elem)

Dequeue(result) ==
    IF result = 0
    THEN queue = <<>> /\ UNCHANGED queue
    ELSE queue # <<>> /\ result = Head(queue) /\ queue' = Tail(queue)

Length(result) == Len(queue) = result /\ UNCHANGED queue

Next ==
    \/ \E elem \in 1..3 : Enqueue(elem)
    \/ \E result \in 0..3 : Dequeue(result)
    \/ \E result \in Nat : Length(result)
=============================================================================
