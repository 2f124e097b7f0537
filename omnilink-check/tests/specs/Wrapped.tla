------------------------------- MODULE Wrapped ------------------------------
(* Specifications of an instance, and a Next that nobody means. *)
VARIABLE level

Inner == INSTANCE Unnamed

Drained(event) == Inner!Drained(event)

Next == FALSE /\ UNCHANGED level

Named == Inner!Named

Spec == Inner!Spec
=============================================================================
