-------------------------------- MODULE Loud --------------------------------
\* A queue that says when something is enqueued, so that a test knows that checking has begun.
EXTENDS Naturals, Sequences, TLC

VARIABLE queue

Init == queue = <<>>

Enqueue(elem) == PrintT("enqueuing") /\ queue' = Append(queue, elem)
Dequeue(elem) == queue # <<>> /\ elem = Head(queue) /\ queue' = Tail(queue)

Next == \E elem \in Nat : Enqueue(elem) \/ Dequeue(elem)
=============================================================================
