---------------------------- MODULE BoundedQueue ----------------------------
(* A FIFO with room for Capacity elements, as an interface: each action     *)
(* has the result of the call as an argument.                               *)
EXTENDS Naturals, Sequences
CONSTANTS Elem, Capacity
VARIABLE queue

TypeOK == queue \in Seq(Elem) /\ Len(queue) <= Capacity

Init == queue = << >>

Enqueue(elem) == /\ Len(queue) < Capacity
                 /\ queue' = Append(queue, elem)

EnqueueFull(elem) == Len(queue) = Capacity /\ UNCHANGED queue

Dequeue(elem) == /\ queue /= << >>
                 /\ elem = Head(queue)
                 /\ queue' = Tail(queue)

DequeueEmpty == queue = <<>> /\ UNCHANGED queue

Next == \/ \E elem \in Elem : \/ Enqueue(elem)
                              \/ EnqueueFull(elem)
                              \/ Dequeue(elem)
        \/ DequeueEmpty
Spec == Init /\ [] [Next]_queue
=============================================================================
