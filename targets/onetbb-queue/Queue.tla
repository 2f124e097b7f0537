------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* A bounded first-in, first-out queue. Every call is atomic, also one     *)
(* that found the queue full or empty.                                     *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Capacity

VARIABLE queue  \* The elements, oldest first.

Init == queue = <<>>

Push(elem) ==
    /\ Len(queue) < Capacity
    /\ queue' = Append(queue, elem)

PushFull ==
    /\ Len(queue) >= Capacity
    /\ UNCHANGED queue

Pop(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)

PopEmpty ==
    /\ queue = <<>>
    /\ UNCHANGED queue

\* empty() said so.
Empty(answer) ==
    /\ answer = (queue = <<>>)
    /\ UNCHANGED queue

Next ==
    \/ \E elem \in Nat : Push(elem)
    \/ PushFull
    \/ \E elem \in Nat : Pop(elem)
    \/ PopEmpty
    \/ \E answer \in BOOLEAN : Empty(answer)

Spec == Init /\ [][Next]_queue
=============================================================================
