------------------------------ MODULE Bounded ------------------------------
EXTENDS Naturals, Sequences

CONSTANT Capacity
VARIABLE queue

Init == queue = <<>>

Enqueue(elem) ==
    /\ Len(queue) < Capacity
    /\ queue' = Append(queue, elem)

Next == \E elem \in Nat : Enqueue(elem)
=============================================================================
