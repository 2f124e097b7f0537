--------------------------- MODULE MCBoundedQueue ---------------------------
(***************************************************************************)
(* TwoSteps, which has all states of BoundedQueue and more, with four      *)
(* elements, each of which is pushed at most once. So all states can be    *)
(* explored.                                                               *)
(***************************************************************************)
EXTENDS TwoSteps

VARIABLE unused  \* The elements that have not been pushed yet.

Elems == 1..4

MCInit == Init /\ unused = Elems

MCNext ==
    \/ \E elem \in unused :
        /\ Push(elem) \/ ForcePush(elem) \/ \E old \in Elems : ForcePushOver(elem, old) \/ ForcePushOver_Step(elem, old)
        /\ unused' = unused \ {elem}
    \/ /\ \/ \E elem \in Elems : Pop(elem) \/ PushFull(elem)
          \/ \E elem \in Elems, old \in Elems : ForcePushOver_Done(elem, old)
          \/ PopEmpty
          \/ \E size \in 0..Capacity : Size(size)
          \/ \E yes \in BOOLEAN : IsEmpty(yes) \/ IsFull(yes)
       /\ UNCHANGED unused

\* Never more than there is room for.
Bounded == Taken <= Capacity

\* No element is in twice.
Once ==
    /\ \A one \in DOMAIN queue, other \in DOMAIN queue : queue[one] = queue[other] => one = other
    /\ \A at \in DOMAIN queue : queue[at] \notin replacing
=============================================================================
