----------------------------- MODULE OmniLinkPassed -----------------------------
(******************************************************************************)
(* The arguments of the last inner step, by name: what was not recorded is    *)
(* known when a step has been taken.                                          *)
(******************************************************************************)

VARIABLE omnilink_passed

OmniLinkPasses(args) == omnilink_passed' = args
=================================================================================
