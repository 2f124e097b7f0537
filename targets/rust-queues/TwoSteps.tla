------------------------------ MODULE TwoSteps ------------------------------
(***************************************************************************)
(* What ArrayQueue does: `force_push` into a full queue removes the oldest *)
(* element, and then appends its own. In between the queue has one element *)
(* less, but there is no room for others.                                  *)
(***************************************************************************)
EXTENDS BoundedQueue

ForcePushOver_Step(elem, old) ==
    /\ elem \notin replacing
    /\ Len(queue) = Capacity
    /\ old = Head(queue)
    /\ queue' = Tail(queue)
    /\ replacing' = replacing \union {elem}

ForcePushOver_Done(elem, old) ==
    /\ elem \in replacing
    /\ queue' = Append(queue, elem)
    /\ replacing' = replacing \ {elem}

TwoStepsNext ==
    \/ Elements
    \/ \E elem \in Nat, old \in Nat : ForcePushOver_Step(elem, old) \/ ForcePushOver_Done(elem, old)
    \/ Refused
    \/ Looks
=============================================================================
