---- MODULE Misspelt ----
EXTENDS Naturals, Sequences
VARIABLE queue
Init == queue = <<>>
Enqueue(elem) == queue' = Append(queue, elem)
Dequeue(elem) == queue' = Tial(queue) /\ elem = Head(queue)
Next == \E elem \in 1..2 : Enque(elem) \/ Dequeue(elem)
====
