------------------------------ MODULE LibraryQueue ------------------------------
(* Extended by ReplacedInModule, whose configuration replaces Bound only here.    *)
EXTENDS Naturals, Sequences
CONSTANT Element
VARIABLE queue
Bound == 100
Push(e) == Len(queue) < Bound /\ queue' = Append(queue, e)
Pop == queue # <<>> /\ queue' = Tail(queue)
=================================================================================
