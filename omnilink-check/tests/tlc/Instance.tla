------------------------------ MODULE Instance ------------------------------
(* A next-state relation that is another module's. *)
CONSTANT Clients

VARIABLES held, log

Inner == INSTANCE Clients

Init == Inner!Init

Next == Inner!Next
=============================================================================
