-------------------------------- MODULE Bulk --------------------------------
\* A bulk operation takes effect element by element, and is done when all have been taken.
EXTENDS Naturals, Sequences
VARIABLES queue, taking

Init == queue = <<>> /\ taking = <<>>

Enqueue(elem) == queue' = Append(queue, elem) /\ UNCHANGED taking

DequeueBulk_Step(elems) ==
    /\ queue # <<>>
    /\ Head(queue) = elems[Len(taking) + 1]
    /\ queue' = Tail(queue)
    /\ taking' = Append(taking, Head(queue))

DequeueBulk_Done(elems) ==
    /\ taking = elems
    /\ taking' = <<>>
    /\ UNCHANGED queue

Next ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elems \in Seq(Nat) : DequeueBulk_Step(elems) \/ DequeueBulk_Done(elems)
=============================================================================
