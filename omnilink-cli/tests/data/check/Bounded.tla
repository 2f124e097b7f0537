------------------------------ MODULE Bounded ------------------------------
(* A queue of at most two elements. *)
EXTENDS Naturals, Sequences

VARIABLE queue

Init == queue = <<>>

Enqueue(elem) ==
    /\ Len(queue) < 2
    /\ queue' = Append(queue, elem)

EnqueueFull(elem) ==
    /\ Len(queue) = 2
    /\ UNCHANGED queue

Dequeue(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)

DequeueEmpty ==
    /\ queue = <<>>
    /\ UNCHANGED queue

Next ==
    \/ \E elem \in Nat : Enqueue(elem) \/ EnqueueFull(elem) \/ Dequeue(elem)
    \/ DequeueEmpty
=============================================================================
