----------------------------- MODULE AtomicBulk -----------------------------
(***************************************************************************)
(* A model that is too strong: a bulk dequeue takes what is in the queue   *)
(* at one moment, up to max elements, and leaves something only if it has  *)
(* got max. The documentation does not promise this, and it is not so.     *)
(***************************************************************************)
EXTENDS ConcurrentQueue

\* What is left when elements have left, in this order.
RECURSIVE AfterAll(_, _)
AfterAll(left, elems) ==
    IF elems = <<>> THEN left
    ELSE AfterAll([left EXCEPT ![Owner(elems[1])] = Tail(@)], Tail(elems))

\* Those of one producer.
Part(producer, elems) ==
    LET IsOurs(elem) == Owner(elem) = producer IN SelectSeq(elems, IsOurs)

IsPrefix(part, queue) == Len(part) <= Len(queue) /\ SubSeq(queue, 1, Len(part)) = part

DequeueBulk(max, elems) ==
    /\ Len(elems) <= max
    /\ \A at \in DOMAIN elems : Owner(elems[at]) \in DOMAIN queues
    /\ \A producer \in DOMAIN queues : IsPrefix(Part(producer, elems), queues[producer])
    /\ queues' = AfterAll(queues, elems)
    /\ Len(elems) < max => \A producer \in DOMAIN queues' : queues'[producer] = <<>>
    /\ removed' = removed + Len(elems)
    /\ UNCHANGED <<leaving, added, sizing>>

AtomicNext ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elems \in Batches : EnqueueBulk(elems)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ \E call \in Nat : DequeueEmpty(call)
    \/ DequeueNothing
    \/ \E producer \in Nat, elem \in Nat : DequeueFrom(producer, elem)
    \/ \E call \in Nat, producer \in Nat : DequeueFromEmpty(call, producer)
    \/ \E producer \in Nat, max \in Nat, elems \in Batches : DequeueBulkFrom(producer, max, elems)
    \/ \E max \in Nat, elems \in Batches : DequeueBulk(max, elems)
    \/ \E call \in Nat : SizeBegins(call)
    \/ \E call \in Nat, size \in Nat : SizeApprox(call, size)
=============================================================================
