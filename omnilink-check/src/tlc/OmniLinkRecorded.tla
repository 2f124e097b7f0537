---------------------------- MODULE OmniLinkRecorded ----------------------------
(******************************************************************************)
(* What was recorded for the parameters of an action. `it` is a choice of an  *)
(* event, see OmniLinkPositions.                                              *)
(******************************************************************************)

\* Whether a parameter has a value, as far as is known: it was recorded with that, or not at all.
OmniLinkIs(it, param, value) == IF param \in DOMAIN it.args THEN it.args[param] = value ELSE TRUE

\* The members of a set that a parameter can have been. A value that was recorded is looked up, not looked for.
OmniLinkOf(it, param, set) ==
    IF param \in DOMAIN it.args THEN {value \in {it.args[param]} : value \in set} ELSE set
=================================================================================
