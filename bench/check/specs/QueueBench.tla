----------------------------- MODULE QueueBench -----------------------------
(***************************************************************************)
(* A queue, as the histories of the benchmark use it. A dequeue of 0 found *)
(* the queue empty.                                                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLE queue  \* The elements, oldest first.

Init == queue = <<>>

Enqueue(value) == queue' = Append(queue, value)

Dequeue(result) ==
    IF result = 0
    THEN queue = <<>> /\ UNCHANGED queue
    ELSE queue # <<>> /\ result = Head(queue) /\ queue' = Tail(queue)

Next ==
    \/ \E value \in Nat : Enqueue(value)
    \/ \E result \in Nat : Dequeue(result)
=============================================================================
