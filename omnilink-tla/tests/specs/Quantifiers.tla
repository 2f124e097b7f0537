------------------------------ MODULE Quantifiers ------------------------------
(* Quantifiers around actions: several names, dependent bounds, nested, over      *)
(* functions, subsets, records; and definitions with quantifiers as guards.       *)
EXTENDS Integers, FiniteSets, Sequences
VARIABLES pairs, last
People == {"a", "b", "c"}
Init == pairs = {} /\ last = [who |-> "a", n |-> 0]
Meet == \E p, q \in People : /\ p # q
                             /\ pairs' = pairs \cup {<<p, q>>}
                             /\ last' = [who |-> p, n |-> 1]
Leave == \E S \in SUBSET pairs : /\ Cardinality(S) = 2
                                 /\ pairs' = pairs \ S
                                 /\ \E <<p, q>> \in S : last' = [last EXCEPT !.who = q]
Dependent == \E p \in People : \E x \in {y \in pairs : y[1] = p} : pairs' = pairs \ {x} /\ UNCHANGED last
ByFunction == \E f \in [{1, 2} -> People] : f[1] # f[2] /\ pairs' = {<<f[1], f[2]>>} /\ last' = [last EXCEPT !.n = 0]
ByRecord == \E r \in [who : People, n : 0..1] : r # last /\ pairs = {} /\ last' = r /\ UNCHANGED pairs
Everyone == /\ \A p \in People : \E q \in People : <<p, q>> \in pairs \/ <<q, p>> \in pairs
            /\ pairs' = {}
            /\ UNCHANGED last
Next == Meet \/ Leave \/ Dependent \/ ByFunction \/ ByRecord \/ Everyone
Inv == \A <<p, q>> \in pairs : p # q /\ last \in [who : People, n : 0..1]
=================================================================================
