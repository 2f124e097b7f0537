---------------------------- MODULE MCBulkQueue ----------------------------
(***************************************************************************)
(* BulkQueue with two batches, each enqueued once, so that all states can  *)
(* be explored.                                                            *)
(***************************************************************************)
EXTENDS BulkQueue, FiniteSets

VARIABLE begun  \* The batches of which something has been enqueued.

Enqueued == {<<1, 2>>, <<3, 4>>}

\* What a call that asks for two elements may get.
Dequeued == {<<>>} \cup {<<a>> : a \in 1..4} \cup {<<a, b>> : a \in 1..4, b \in 1..4}

MCInit == Init /\ begun = {}

MCNext ==
    \/ \E elems \in Enqueued :
        /\ elems \in begun => elems[1] \in DOMAIN entering
        /\ EnqueueBulk_Step(elems) \/ EnqueueBulk_Done(elems)
        /\ begun' = begun \cup {elems}
    \/ \E elems \in Dequeued :
        /\ DequeueBulk_Step(2, elems) \/ DequeueBulk_Done(2, elems)
        /\ UNCHANGED begun

\* The elements of one batch never overtake each other.
InOrder == \A i, j \in DOMAIN queue : i < j => <<queue[j], queue[i]>> \notin Enqueued

\* Nothing is in the queue twice.
NoDuplicates == \A i, j \in DOMAIN queue : i # j => queue[i] # queue[j]
=============================================================================
