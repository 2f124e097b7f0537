------------------------------ MODULE FreeQueue ------------------------------
(* Unbounded: two producers, one consumer; explored under a constraint.      *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANT Producers, MaxLen, MaxSeq
VARIABLES q, sent, got
Init == q = <<>> /\ sent = [p \in Producers |-> 0] /\ got = [p \in Producers |-> 0]
Produce(p) == /\ sent' = [sent EXCEPT ![p] = @ + 1]
              /\ q' = q \o <<[by |-> p, no |-> sent'[p]]>>
              /\ UNCHANGED got
Consume == /\ Len(q) > 0
           /\ LET m == q[1] IN /\ got' = [got EXCEPT ![m.by] = m.no]
                               /\ q' = SubSeq(q, 2, Len(q))
           /\ UNCHANGED sent
Next == (\E p \in Producers : Produce(p)) \/ Consume
Short == Len(q) <= MaxLen /\ \A p \in Producers : sent[p] =< MaxSeq
\* Per producer, what is in the queue continues what was consumed.
InOrder == \A p \in Producers :
             LET FromP(m) == m.by = p
                 mine == SelectSeq(q, FromP)
             IN  \A i \in DOMAIN mine : mine[i].no = got[p] + i
===============================================================================
