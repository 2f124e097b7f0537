-------------------------------- MODULE Fifo --------------------------------
\* A first-in, first-out queue, with what the tests of `omnilink check` need besides.
EXTENDS Integers, Sequences

VARIABLES queue, enqueued

Init == queue = <<>> /\ enqueued = 0

Enqueue(elem) ==
    /\ queue' = Append(queue, elem)
    /\ enqueued' = enqueued + 1

Dequeue(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)
    /\ UNCHANGED enqueued

DequeueEmpty ==
    /\ queue = <<>>
    /\ UNCHANGED <<queue, enqueued>>

Next ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ DequeueEmpty

\* An aborted call that lost what it was to dequeue.
Lost(event) ==
    /\ event.outcome = "aborted"
    /\ queue # <<>>
    /\ queue' = Tail(queue)
    /\ UNCHANGED enqueued

Ends(event) ==
    /\ queue = <<>>
    /\ UNCHANGED <<queue, enqueued>>

\* A condition on calls that say how long they found the queue.
LengthFits(event) == event.meta.length = Len(queue)

Short == Len(queue) < 2
=============================================================================
