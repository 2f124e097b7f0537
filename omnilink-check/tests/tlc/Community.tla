------------------------------ MODULE Community -----------------------------
(* A specification that needs a module which TLC does not bring along. *)
EXTENDS Naturals, Sequences, SequencesExt

VARIABLE log

Init == log = <<>>

Put(elem) == log' = Append(log, elem)

Clear == log' = Reverse(<<>>)

Next == (\E elem \in Nat : Put(elem)) \/ Clear
=============================================================================
