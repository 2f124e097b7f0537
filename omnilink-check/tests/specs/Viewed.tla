------------------------------- MODULE Viewed -------------------------------
(* Choice under a view that hides what matters. *)
EXTENDS Choice

View == number
=============================================================================
