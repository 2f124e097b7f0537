----------------------------- MODULE BulkQueue -----------------------------
(***************************************************************************)
(* A first-in, first-out queue whose operations move several elements. A   *)
(* bulk operation is not atomic: its elements enter or leave the queue one *)
(* by one, in order, and elements of other operations may come between     *)
(* them.                                                                   *)
(*                                                                         *)
(* So one call is many steps. X_Step moves one element, X_Done is the end  *)
(* of the call, and a recorded call X stands for steps that are as many as *)
(* needed, followed by one X_Done.                                         *)
(*                                                                         *)
(* No element is enqueued twice, so the first element of a batch tells     *)
(* whose progress it is.                                                   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, TLC

VARIABLES
    queue,     \* The elements, oldest first.
    entering,  \* Of every batch that is being enqueued, by its first element: how many are in.
    leaving    \* The same of every batch that is being dequeued: how many are out.

vars == <<queue, entering, leaving>>

Batches == Seq(Nat)

None == [first \in {} |-> 0]

Init ==
    /\ queue = <<>>
    /\ entering = None
    /\ leaving = None

\* How many elements of a batch have been moved.
Moved(progress, batch) ==
    IF batch # <<>> /\ batch[1] \in DOMAIN progress THEN progress[batch[1]] ELSE 0

\* One more of them has.
Further(progress, batch) == (batch[1] :> Moved(progress, batch) + 1) @@ progress

\* The batch needs no more attention.
Without(progress, batch) ==
    IF batch = <<>> THEN progress ELSE [first \in DOMAIN progress \ {batch[1]} |-> progress[first]]

EnqueueBulk_Step(elems) ==
    /\ Moved(entering, elems) < Len(elems)
    /\ queue' = Append(queue, elems[Moved(entering, elems) + 1])
    /\ entering' = Further(entering, elems)
    /\ UNCHANGED leaving

EnqueueBulk_Done(elems) ==
    /\ Moved(entering, elems) = Len(elems)
    /\ entering' = Without(entering, elems)
    /\ UNCHANGED <<queue, leaving>>

\* A call that asks for up to max elements takes the next of those that it got, elems.
DequeueBulk_Step(max, elems) ==
    /\ Moved(leaving, elems) < Len(elems)
    /\ queue # <<>>
    /\ elems[Moved(leaving, elems) + 1] = Head(queue)
    /\ queue' = Tail(queue)
    /\ leaving' = Further(leaving, elems)
    /\ UNCHANGED entering

\* It got as many as it asked for, or there are no more.
DequeueBulk_Done(max, elems) ==
    /\ Moved(leaving, elems) = Len(elems)
    /\ \/ Len(elems) = max
       \/ Len(elems) < max /\ queue = <<>>
    /\ leaving' = Without(leaving, elems)
    /\ UNCHANGED <<queue, entering>>

Next ==
    \/ \E elems \in Batches : EnqueueBulk_Step(elems) \/ EnqueueBulk_Done(elems)
    \/ \E max \in Nat, elems \in Batches : DequeueBulk_Step(max, elems) \/ DequeueBulk_Done(max, elems)

Spec == Init /\ [][Next]_vars

TypeOK ==
    /\ queue \in Seq(Nat)
    /\ \A progress \in {entering, leaving} : \A first \in DOMAIN progress : first \in Nat /\ progress[first] \in Nat
=============================================================================
