------------------------------ MODULE OmniLinkTold ------------------------------
(******************************************************************************)
(* One call, one value: arguments that were not recorded are the same in all  *)
(* inner steps of a call and at its end. The first inner step tells them.     *)
(******************************************************************************)
EXTENDS OmniLinkPositions, OmniLinkPassed

VARIABLE
    omnilink_told    \* By lane: the arguments of its next event, if that has taken inner steps.

OmniLinkNothingTold ==
    /\ omnilink_told = [lane \in DOMAIN OmniLinkLanes |-> <<>>]
    /\ omnilink_passed = <<>>

\* A choice of a lane's next event with all arguments that are known.
OmniLinkKnown(lane, choice) ==
    IF omnilink_begun[lane] = 0 THEN choice ELSE [choice EXCEPT !.args = omnilink_told[lane]]

\* An inner step was taken.
OmniLinkTells(lane) == omnilink_told' = [omnilink_told EXCEPT ![lane] = omnilink_passed']

\* The event is behind us.
OmniLinkForgets(lane) ==
    /\ omnilink_told' = [omnilink_told EXCEPT ![lane] = <<>>]
    /\ omnilink_passed' = <<>>
=================================================================================
