--------------------------- MODULE FailMeansEmpty ---------------------------
(***************************************************************************)
(* Stronger than documented: if a dequeue finds nothing, then whatever was *)
(* in the queue when it began is gone when it ends, because somebody else  *)
(* has taken it.                                                           *)
(***************************************************************************)
EXTENDS ConcurrentQueue

VARIABLE looking  \* Of every such call that is going on: the last element of each producer when it began.

Last(queue) == queue[Len(queue)]

NonEmpty == {producer \in DOMAIN queues : queues[producer] # <<>>}

StrictInit == Init /\ looking = [call \in {} |-> <<>>]

\* A call that looks into the queues of some producers and finds nothing begins.
Begin(call, producers) ==
    /\ call \notin DOMAIN looking
    /\ looking' = (call :> [producer \in producers |-> Last(queues[producer])]) @@ looking

\* What it could have found is gone: producers count up.
End(call, producers) ==
    /\ IF call \in DOMAIN looking
       THEN \A producer \in DOMAIN looking[call] :
                queues[producer] # <<>> => queues[producer][1] > looking[call][producer]
       ELSE producers = {}
    /\ looking' = [other \in DOMAIN looking \ {call} |-> looking[other]]

DequeueEmpty_Step(call) == Begin(call, NonEmpty) /\ UNCHANGED vars
DequeueEmpty_Done(call) == End(call, NonEmpty) /\ UNCHANGED vars
DequeueFromEmpty_Step(call, producer) == Begin(call, NonEmpty \cap {producer}) /\ UNCHANGED vars
DequeueFromEmpty_Done(call, producer) == End(call, NonEmpty \cap {producer}) /\ UNCHANGED vars

StrictNext ==
    \/ /\ UNCHANGED looking
       /\ \/ \E elem \in Nat : Enqueue(elem)
          \/ \E elems \in Batches : EnqueueBulk(elems)
          \/ \E elem \in Nat : Dequeue(elem)
          \/ DequeueNothing
          \/ \E producer \in Nat, elem \in Nat : DequeueFrom(producer, elem)
          \/ \E producer \in Nat, max \in Nat, elems \in Batches : DequeueBulkFrom(producer, max, elems)
          \/ \E max \in Nat, elems \in Batches : DequeueBulk_Step(max, elems) \/ DequeueBulk_Done(max, elems)
          \/ \E call \in Nat : SizeBegins(call)
          \/ \E call \in Nat, size \in Nat : SizeApprox(call, size)
    \/ \E call \in Nat : DequeueEmpty_Step(call) \/ DequeueEmpty_Done(call)
    \/ \E call \in Nat, producer \in Nat :
        DequeueFromEmpty_Step(call, producer) \/ DequeueFromEmpty_Done(call, producer)
=============================================================================
