-------------------------------- MODULE Slow --------------------------------
EXTENDS Naturals, Sequences

VARIABLE queue

Init == queue = <<>>

\* Nobody waits until this is evaluated.
Enqueue(elem) ==
    /\ \A x \in 1..1000000 : \A y \in 1..1000000 : x + y > Len(queue)
    /\ queue' = Append(queue, elem)

Next == \E elem \in Nat : Enqueue(elem)
=============================================================================
