------------------------------- MODULE Sizes -------------------------------
(***************************************************************************)
(* A queue per producer, and its size, as if every call happened at one    *)
(* moment. It is meant for checks of weaker consistency: `size_approx` is  *)
(* not atomic, and docs/consistency.md describes how to ask for less.      *)
(*                                                                         *)
(* A dequeue that found nothing is not recorded here: it promises nothing, *)
(* so that every size could be explained by dequeues that found nothing.   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, TLC

VARIABLE queues  \* Of every producer: its elements.

Init == queues = [producer \in {} |-> <<>>]

Of(producer) == IF producer \in DOMAIN queues THEN queues[producer] ELSE <<>>

Enqueue(producer, elem) == queues' = (producer :> Append(Of(producer), elem)) @@ queues

Dequeue(elem) ==
    \E producer \in DOMAIN queues :
        /\ queues[producer] # <<>>
        /\ elem = Head(queues[producer])
        /\ queues' = [queues EXCEPT ![producer] = Tail(@)]

RECURSIVE Sum(_)
Sum(producers) ==
    IF producers = {} THEN 0
    ELSE LET one == CHOOSE producer \in producers : TRUE
         IN Len(queues[one]) + Sum(producers \ {one})

Size(size) ==
    /\ size = Sum(DOMAIN queues)
    /\ UNCHANGED queues

Next ==
    \/ \E producer \in Nat, elem \in Nat : Enqueue(producer, elem)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ \E size \in Nat : Size(size)

Spec == Init /\ [][Next]_queues
=============================================================================
