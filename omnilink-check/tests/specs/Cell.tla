-------------------------------- MODULE Cell --------------------------------
(* One cell, to be used as an instance. *)
EXTENDS Naturals

VARIABLE cell

Set(value) == cell' = value

Get(value) == cell = value /\ UNCHANGED cell

Add(by) == cell' = cell + by
=============================================================================
