------------------------------ MODULE Instance ------------------------------
(* A next-state relation that is another module's, of an instance without a name. *)
CONSTANT Clients

VARIABLES held, log

INSTANCE Clients
=============================================================================
