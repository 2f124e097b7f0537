---- MODULE Branching ----
\* The queue of the examples, with branches that are always, sometimes and never taken.
EXTENDS Naturals, Sequences

VARIABLE queue

Init == queue = <<>>

Enqueue(elem) ==
    \/ Len(queue) > 1000 /\ queue' = <<>>
    \/ queue' = Append(queue, elem)

Dequeue(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)

DequeueEmpty ==
    IF queue = <<>> THEN UNCHANGED queue ELSE FALSE

\* No program has such a call.
Nobody ==
    /\ queue # <<>>
    /\ queue' = <<>>

Next ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ DequeueEmpty
    \/ Nobody
====
