--------------------------- MODULE ReadersWriters ---------------------------
(* First come, first served: a queue of requests, readers may share.         *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANT Actors
VARIABLES readers, writers, waiting
Kind == {"read", "write"}

ToSet(s) == {s[i] : i \in DOMAIN s}
Waiting == {w[2] : w \in ToSet(waiting)}
Idle(a) == a \notin Waiting \cup readers \cup writers

Init == readers = {} /\ writers = {} /\ waiting = <<>>

Request(a) == /\ Idle(a)
              /\ \E kind \in Kind : waiting' = Append(waiting, <<kind, a>>)
              /\ UNCHANGED <<readers, writers>>

Admit == /\ waiting # <<>> /\ writers = {}
         /\ LET front == Head(waiting)
                who == front[2]
            IN CASE front[1] = "read" -> /\ readers' = readers \cup {who}
                                         /\ UNCHANGED writers
                 [] front[1] = "write" -> /\ readers = {}
                                          /\ writers' = {who}
                                          /\ readers' = readers
         /\ waiting' = Tail(waiting)

Done(a) == /\ \/ a \in readers /\ readers' = readers \ {a} /\ UNCHANGED writers
              \/ a \in writers /\ writers' = writers \ {a} /\ UNCHANGED readers
           /\ UNCHANGED waiting

Next == Admit \/ \E a \in Actors : Request(a) \/ Done(a)

Safe == /\ readers = {} \/ writers = {}
        /\ Cardinality(writers) < 2
NoDuplicates == Cardinality(Waiting) = Len(waiting)
=============================================================================
