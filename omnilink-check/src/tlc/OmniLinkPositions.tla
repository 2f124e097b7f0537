--------------------------- MODULE OmniLinkPositions ---------------------------
(******************************************************************************)
(* A walk through a recorded history: how many events of each lane are behind *)
(* us, and which may be next. A module that extends this one and a            *)
(* specification says what an event does to the specification's variables.    *)
(*                                                                            *)
(* An event has a timebox (`start`, `end`: only their order matters), may be  *)
(* `optional` (nobody knows whether it took effect), and stands for one of    *)
(* its `choices`: an action with those arguments that were recorded. A choice *)
(* that has a `step` is a pair: any number of these steps, then the action.   *)
(******************************************************************************)
EXTENDS OmniLinkHistory, OmniLinkRecorded
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

VARIABLES
    omnilink_at,     \* By lane: the position of its next event.
    omnilink_begun,  \* By lane: as which choice its next event has taken inner steps; 0 if it has taken none.
    omnilink_last    \* The last move: the lane, what became of its event, as which choice.

OmniLinkBegin ==
    /\ omnilink_at = [lane \in DOMAIN OmniLinkLanes |-> 1]
    /\ omnilink_begun = [lane \in DOMAIN OmniLinkLanes |-> 0]
    /\ omnilink_last = <<0, "nothing", 0>>

OmniLinkOpen == {lane \in DOMAIN OmniLinkLanes : omnilink_at[lane] <= Len(OmniLinkLanes[lane])}

OmniLinkEvent(lane) == OmniLinkLanes[lane][omnilink_at[lane]]

\* An event may be next unless the next one of another lane had ended before it began.
OmniLinkViable ==
    LET open == OmniLinkOpen
    IN  {lane \in open : \A other \in open : OmniLinkEvent(other).end >= OmniLinkEvent(lane).start}

\* The choices that a lane's next event may still stand for.
OmniLinkChoices(lane) ==
    {nth \in DOMAIN OmniLinkEvent(lane).choices : omnilink_begun[lane] \in {0, nth}}

\* The event is behind us.
OmniLinkAdvance(lane, became, nth) ==
    /\ omnilink_at' = [omnilink_at EXCEPT ![lane] = @ + 1]
    /\ omnilink_begun' = [omnilink_begun EXCEPT ![lane] = 0]
    /\ omnilink_last' = <<lane, became, nth>>

\* One of its inner steps is; it is still to come.
OmniLinkStay(lane, nth) ==
    /\ omnilink_begun' = [omnilink_begun EXCEPT ![lane] = nth]
    /\ omnilink_last' = <<lane, "inner", nth>>
    /\ UNCHANGED omnilink_at

\* Violated when all events are behind us that have to be: the trace that leads there is an order of the events.
OmniLinkNotAtEnd ==
    \E lane \in DOMAIN OmniLinkLanes : omnilink_at[lane] <= OmniLinkRequired[lane]
================================================================================
