----------------------------- MODULE SubQueues -----------------------------
(***************************************************************************)
(* What moodycamel::ConcurrentQueue is made of: one first-in, first-out    *)
(* queue per producer. A producer is a token, or a thread that enqueues    *)
(* without one. Consumers take from any of them, so elements of different  *)
(* producers come out in any order.                                        *)
(*                                                                         *)
(* No element is enqueued twice, and each tells who enqueues it: producer  *)
(* 3 has the elements from 3 * Share on, and counts up.                    *)
(***************************************************************************)
EXTENDS Naturals, Sequences, TLC

VARIABLE queues  \* Of every producer that has enqueued something: its elements, oldest first.

Share == 1000000000

Owner(elem) == elem \div Share

NoQueues == [producer \in {} |-> <<>>]

QueueOf(producer) == IF producer \in DOMAIN queues THEN queues[producer] ELSE <<>>

\* The queues after elements of one producer have entered.
With(elems) ==
    LET producer == Owner(elems[1]) IN
    (producer :> QueueOf(producer) \o elems) @@ queues

\* Elements of one producer are those that leave its queue next.
AtHead(elems) ==
    LET queue == QueueOf(Owner(elems[1])) IN
    /\ Len(elems) <= Len(queue)
    /\ SubSeq(queue, 1, Len(elems)) = elems

\* The queues after they have left.
Without(elems) ==
    LET producer == Owner(elems[1]) IN
    [queues EXCEPT ![producer] = SubSeq(@, Len(elems) + 1, Len(@))]
=============================================================================
