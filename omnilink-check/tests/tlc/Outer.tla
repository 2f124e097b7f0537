-------------------------------- MODULE Outer -------------------------------
(* A next-state relation of an instance, which leads into further instances. *)
VARIABLES one, other

Both == INSTANCE Pair WITH left <- one, right <- other

Spec == Both!Init /\ [][Both!Next]_<<one, other>>
=============================================================================
