------------------------- MODULE MCConcurrentQueue -------------------------
(***************************************************************************)
(* ConcurrentQueue with two producers, one of which enqueues a batch of    *)
(* two elements, the other one by one, so that all states can be explored. *)
(***************************************************************************)
EXTENDS ConcurrentQueue

VARIABLE enqueued  \* How many elements each producer has enqueued.

Producers == {1, 2}

\* The nth element of a producer.
Elem(producer, nth) == producer * Share + nth

Elems == {Elem(producer, nth) : producer \in Producers, nth \in 1..2}

\* What a bulk dequeue of up to two elements may get.
Gets == {<<a>> : a \in Elems} \cup {<<a, b>> : a \in Elems, b \in Elems}

MCInit == Init /\ enqueued = [producer \in Producers |-> 0]

MCNext ==
    \/ /\ enqueued[1] = 0
       /\ EnqueueBulk(<<Elem(1, 1), Elem(1, 2)>>)
       /\ enqueued' = [enqueued EXCEPT ![1] = 2]
    \/ /\ enqueued[2] < 2
       /\ Enqueue(Elem(2, enqueued[2] + 1))
       /\ enqueued' = [enqueued EXCEPT ![2] = @ + 1]
    \/ /\ UNCHANGED enqueued
       /\ \/ \E elem \in Elems : Dequeue(elem)
          \/ \E producer \in Producers, elem \in Elems : DequeueFrom(producer, elem)
          \/ \E producer \in Producers, elems \in Gets : DequeueBulkFrom(producer, 2, elems)
          \/ \E elems \in Gets : DequeueBulk_Step(2, elems) \/ DequeueBulk_Done(2, elems)
          \/ SizeBegins(1)
          \/ \E size \in 0..4 : SizeApprox(1, size)
          \/ DequeueEmpty(1)

RECURSIVE Total(_)
Total(producers) ==
    IF producers = {} THEN 0
    ELSE LET one == CHOOSE producer \in producers : TRUE IN Len(QueueOf(one)) + Total(producers \ {one})

\* Nothing is lost, and nothing comes from nowhere.
Conserved == added - removed = Total(Producers)

\* A producer's elements stay in order.
InOrder ==
    \A producer \in DOMAIN queues : \A i, j \in DOMAIN queues[producer] :
        i < j => queues[producer][i] < queues[producer][j]

\* Everything is in its producer's queue.
AtHome == \A producer \in DOMAIN queues : \A i \in DOMAIN queues[producer] : Owner(queues[producer][i]) = producer

\* A call of size_approx that ends now has something to return.
HasSize == \A call \in DOMAIN sizing : sizing[call][1] - removed <= added - sizing[call][2]
=============================================================================
