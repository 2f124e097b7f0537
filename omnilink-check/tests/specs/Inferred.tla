------------------------------ MODULE Inferred ------------------------------
(* A constant that nobody gives: what it is inferred to be bounds nothing that was not recorded. *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANT Elems
VARIABLES queue, seen

vars == <<queue, seen>>

Init == queue = <<>> /\ seen = {}

Enqueue(e) == queue' = Append(queue, e) /\ UNCHANGED seen
Dequeue(e) == queue # <<>> /\ e = Head(queue) /\ queue' = Tail(queue) /\ UNCHANGED seen
\* Takes any element.
Tick == seen' = seen \cup {0} /\ UNCHANGED queue
\* Takes one of two different elements.
Pair(a) == seen' = seen \cup {a} /\ UNCHANGED queue
\* Adds the same element several times.
Many_Step(e) == queue' = Append(queue, e) /\ UNCHANGED seen
Many_Done(e) == UNCHANGED vars
Next ==
    \/ \E e \in Elems : Enqueue(e) \/ Tick \/ Many_Step(e) \/ Many_Done(e)
    \/ \E a, b \in Elems : a # b /\ Pair(a)
    \/ \E e \in Nat : Dequeue(e)

\* The constant's size matters.
Bounded(e) == Cardinality(Elems) > 1 /\ queue' = Append(queue, e) /\ UNCHANGED seen
Sized == (\E e \in Elems : Bounded(e)) \/ \E e \in Nat : Dequeue(e)

\* Whether a value is in it matters.
Known(e) == e \in Elems /\ UNCHANGED vars
Guarded == (\E e \in Elems : Enqueue(e)) \/ \E e \in Nat : Known(e)

\* What could be done matters.
Idle(e) == ~ENABLED (\E x \in Elems : x > e /\ queue' = <<x>> /\ UNCHANGED seen) /\ UNCHANGED vars
Waiting == (\E e \in Elems : Enqueue(e)) \/ \E e \in Nat : Idle(e)

\* An action goes a way of the relation itself.
Enqueues == \E e \in Elems : Enqueue(e)
Both == Enqueues /\ seen' = {}
Mixed == Enqueues \/ Both

\* Nobody else uses it.
TypeOK == seen \subseteq Elems \cup {0}
=============================================================================
