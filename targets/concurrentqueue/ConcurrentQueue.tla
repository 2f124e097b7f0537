-------------------------- MODULE ConcurrentQueue --------------------------
(***************************************************************************)
(* moodycamel::ConcurrentQueue as it is documented.                        *)
(*                                                                         *)
(* A bulk enqueue puts all its elements into the queue of one producer at  *)
(* once. A bulk dequeue goes from producer to producer: what it gets from  *)
(* one of them it takes at once, but other calls may come between two.     *)
(*                                                                         *)
(* That nothing was found promises nothing: "the queue is likely but not   *)
(* guaranteed to be empty". FailMeansEmpty.tla asks for more.              *)
(***************************************************************************)
EXTENDS SubQueues

VARIABLES
    leaving,  \* Of every bulk dequeue that is going on, by what it gets: how many elements it has already.
    added,    \* How many elements were ever enqueued.
    removed,  \* How many were dequeued.
    sizing    \* Of every call of size_approx that is going on: what was added and removed when it began.

vars == <<queues, leaving, added, removed, sizing>>

Init ==
    /\ queues = NoQueues
    /\ leaving = [elems \in {} |-> 0]
    /\ added = 0
    /\ removed = 0
    /\ sizing = [call \in {} |-> <<0, 0>>]

Enqueue(elem) ==
    /\ queues' = With(<<elem>>)
    /\ added' = added + 1
    /\ UNCHANGED <<leaving, removed, sizing>>

EnqueueBulk(elems) ==
    /\ queues' = IF elems = <<>> THEN queues ELSE With(elems)
    /\ added' = added + Len(elems)
    /\ UNCHANGED <<leaving, removed, sizing>>

Dequeue(elem) ==
    /\ AtHead(<<elem>>)
    /\ queues' = Without(<<elem>>)
    /\ removed' = removed + 1
    /\ UNCHANGED <<leaving, added, sizing>>

\* A call found nothing.
DequeueEmpty(call) == UNCHANGED vars

\* A bulk dequeue asked for nothing.
DequeueNothing == UNCHANGED vars

\* From the queue of one producer, which is a token.
DequeueFrom(producer, elem) ==
    /\ Owner(elem) = producer
    /\ AtHead(<<elem>>)
    /\ queues' = Without(<<elem>>)
    /\ removed' = removed + 1
    /\ UNCHANGED <<leaving, added, sizing>>

DequeueFromEmpty(call, producer) == UNCHANGED vars

DequeueBulkFrom(producer, max, elems) ==
    /\ elems # <<>>
    /\ Len(elems) <= max
    /\ Owner(elems[1]) = producer
    /\ AtHead(elems)
    /\ queues' = Without(elems)
    /\ removed' = removed + Len(elems)
    /\ UNCHANGED <<leaving, added, sizing>>

\* Where the elements of one owner end that begin at a place.
RECURSIVE RunFrom(_, _)
RunFrom(elems, at) ==
    IF at = Len(elems) \/ Owner(elems[at + 1]) # Owner(elems[at]) THEN at ELSE RunFrom(elems, at + 1)

\* How many elements a bulk dequeue has.
Taken(elems) == IF elems \in DOMAIN leaving THEN leaving[elems] ELSE 0

\* A call that asks for up to max elements and gets elems takes those of one producer, and goes on to the next.
DequeueBulk_Step(max, elems) ==
    LET before == Taken(elems)
        after == RunFrom(elems, before + 1)
        run == SubSeq(elems, before + 1, after)
    IN
    /\ after < Len(elems)
    /\ AtHead(run)
    /\ queues' = Without(run)
    /\ leaving' = (elems :> after) @@ leaving
    /\ removed' = removed + Len(run)
    /\ UNCHANGED <<added, sizing>>

\* It takes the last of them. (A call that gets none is a DequeueEmpty.)
DequeueBulk_Done(max, elems) ==
    LET before == Taken(elems)
        run == SubSeq(elems, before + 1, Len(elems))
    IN
    /\ Len(elems) <= max
    /\ RunFrom(elems, before + 1) = Len(elems)
    /\ AtHead(run)
    /\ queues' = Without(run)
    /\ leaving' = IF before = 0 THEN leaving ELSE [other \in DOMAIN leaving \ {elems} |-> leaving[other]]
    /\ removed' = removed + Len(run)
    /\ UNCHANGED <<added, sizing>>

\* A thread is about to call size_approx. This and the next are recorded at one moment each, right before the call and
\* right after it. Both counts only grow: before the call they are at most what they are when it begins, and after it at
\* least what they are when it ends. So the bounds are those of the call, or wider if others change the queue just in
\* between, and never forbid a right size. Two steps anywhere in the call would come to the same bounds, those of the
\* first place and the last; but if a thread loses its processor in the call, a search has to consider every pair of
\* places.
SizeBegins(call) ==
    /\ call \notin DOMAIN sizing
    /\ sizing' = (call :> <<added, removed>>) @@ sizing
    /\ UNCHANGED <<queues, leaving, added, removed>>

\* It has returned. "Only accurate if the queue has completely stabilized": what changes meanwhile may be counted, or
\* not. So there is an upper bound, all that may have been in at any time, and a lower one, what has been in all the
\* time.
SizeApprox(call, size) ==
    /\ call \in DOMAIN sizing
    /\ size <= added - sizing[call][2]
    /\ size >= sizing[call][1] - removed
    /\ sizing' = [other \in DOMAIN sizing \ {call} |-> sizing[other]]
    /\ UNCHANGED <<queues, leaving, added, removed>>

Batches == Seq(Nat)

Next ==
    \/ \E elem \in Nat : Enqueue(elem)
    \/ \E elems \in Batches : EnqueueBulk(elems)
    \/ \E elem \in Nat : Dequeue(elem)
    \/ \E call \in Nat : DequeueEmpty(call)
    \/ DequeueNothing
    \/ \E producer \in Nat, elem \in Nat : DequeueFrom(producer, elem)
    \/ \E call \in Nat, producer \in Nat : DequeueFromEmpty(call, producer)
    \/ \E producer \in Nat, max \in Nat, elems \in Batches : DequeueBulkFrom(producer, max, elems)
    \/ \E max \in Nat, elems \in Batches : DequeueBulk_Step(max, elems) \/ DequeueBulk_Done(max, elems)
    \/ \E call \in Nat : SizeBegins(call)
    \/ \E call \in Nat, size \in Nat : SizeApprox(call, size)

Spec == Init /\ [][Next]_vars
=============================================================================
