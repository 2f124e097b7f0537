------------------------------- MODULE Recorded -----------------------------
(* Recorded arguments. *)

(* Whether a parameter has a value as far as is known: it was recorded with that, or not at all. *)
Is(e, param, value) == param \in DOMAIN e.args => e.args[param] = value
=============================================================================
