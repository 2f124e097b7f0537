-------------------------------- MODULE Fifo --------------------------------
(* A queue as Porcupine's model has it. A dequeue of 0 found it empty. What a killed dequeue found is to be solved for. *)
EXTENDS Naturals, Sequences

VARIABLE queue

Init == queue = <<>>

Enqueue(value) == queue' = Append(queue, value)

Dequeue(result) ==
    \/ result = 0 /\ queue = <<>> /\ UNCHANGED queue
    \/ queue # <<>> /\ result = Head(queue) /\ queue' = Tail(queue)

Next == (\E value \in Nat : Enqueue(value)) \/ (\E result \in Nat : Dequeue(result))
=============================================================================
