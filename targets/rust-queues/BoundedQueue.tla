---------------------------- MODULE BoundedQueue ----------------------------
(***************************************************************************)
(* A first-in, first-out queue of at most Capacity elements. Every call is *)
(* atomic: it does what it does at one moment between its beginning and    *)
(* its end.                                                                *)
(***************************************************************************)
EXTENDS FiniteSets, Naturals, Sequences

CONSTANTS
    Capacity,
    SureOfFull,  \* Whether a call that found no room can be believed,
    SureOfEmpty  \* and one that found no element.

ASSUME {SureOfFull, SureOfEmpty} \subseteq BOOLEAN

VARIABLES
    queue,     \* The elements, oldest first.
    replacing  \* Elements whose place has been made, but that are not in yet. Always empty, but in TwoSteps.tla.

vars == <<queue, replacing>>

Init ==
    /\ queue = <<>>
    /\ replacing = {}

\* How many places are taken.
Taken == Len(queue) + Cardinality(replacing)

Push(elem) ==
    /\ Taken < Capacity
    /\ queue' = Append(queue, elem)
    /\ UNCHANGED replacing

\* There was no room, and nothing happened.
PushFull(elem) ==
    /\ SureOfFull => Taken = Capacity
    /\ UNCHANGED vars

\* A push that always succeeds. This time there was room.
ForcePush(elem) ==
    /\ Taken < Capacity
    /\ queue' = Append(queue, elem)
    /\ UNCHANGED replacing

\* There was no room: the oldest element makes way, and is told.
ForcePushOver(elem, old) ==
    /\ Len(queue) = Capacity
    /\ old = Head(queue)
    /\ queue' = Append(Tail(queue), elem)
    /\ UNCHANGED replacing

Pop(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ queue' = Tail(queue)
    /\ UNCHANGED replacing

\* There was no element.
PopEmpty ==
    /\ SureOfEmpty => queue = <<>>
    /\ UNCHANGED vars

Size(size) ==
    /\ size = Len(queue)
    /\ UNCHANGED vars

IsEmpty(yes) ==
    /\ yes = (queue = <<>>)
    /\ UNCHANGED vars

IsFull(yes) ==
    /\ yes = (Len(queue) = Capacity)
    /\ UNCHANGED vars

-----------------------------------------------------------------------------

\* Elements that come and go.
Elements ==
    \/ \E elem \in Nat : Push(elem)
    \/ \E elem \in Nat : ForcePush(elem)
    \/ \E elem \in Nat : Pop(elem)

\* Calls that found no room, or no element.
Refused ==
    \/ \E elem \in Nat : PushFull(elem)
    \/ PopEmpty

\* Calls that only look.
Looks ==
    \/ \E size \in Nat : Size(size)
    \/ \E yes \in BOOLEAN : IsEmpty(yes)
    \/ \E yes \in BOOLEAN : IsFull(yes)

Next ==
    \/ Elements
    \/ \E elem \in Nat, old \in Nat : ForcePushOver(elem, old)
    \/ Refused
    \/ Looks

Spec == Init /\ [][Next]_vars
=============================================================================
