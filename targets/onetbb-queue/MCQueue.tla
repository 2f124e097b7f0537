------------------------------ MODULE MCQueue ------------------------------
(***************************************************************************)
(* Queue with few elements, so that all states can be explored.            *)
(***************************************************************************)
EXTENDS Queue

MCNext ==
    \/ \E elem \in 1..2 : Push(elem) \/ Pop(elem)
    \/ PushFull
    \/ PopEmpty
    \/ \E answer \in BOOLEAN : Empty(answer)

Bounded == Len(queue) <= Capacity
=============================================================================
