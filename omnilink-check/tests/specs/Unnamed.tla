------------------------------- MODULE Unnamed ------------------------------
(* A next-state relation that stands in the specification alone, and a Next that nobody means. *)
EXTENDS Naturals

VARIABLE level

Raise(by) == level' = level + by

Drained(event) == level = 3 /\ level' = 0

Next == FALSE /\ UNCHANGED level

Step == \E by \in 1 .. 9 : by > level /\ Raise(by)

Spec == level = 0 /\ [][\/ /\ level < 9
                           /\ \E by \in 1 .. 9 : by > level /\ Raise(by)
                        \/ Raise(0)]_level

Named == level = 0 /\ [][Step]_level
=============================================================================
