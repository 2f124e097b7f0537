----------------------------- MODULE TreiberStack -----------------------------
(* A lock-free stack in single memory accesses. With Reuse, freed nodes are   *)
(* handed out again and the ABA problem breaks it.                            *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Threads, Nodes, Reuse
Null == 0
VARIABLES top, next, free, pc, old, new, abstract
vars == <<top, next, free, pc, old, new, abstract>>
Init == /\ top = Null
        /\ next = [n \in Nodes |-> Null]
        /\ free = Nodes
        /\ pc = [t \in Threads |-> "idle"]
        /\ old = [t \in Threads |-> Null]
        /\ new = [t \in Threads |-> Null]
        /\ abstract = << >>
At(t, l) == pc[t] = l
To(t, l) == pc' = [pc EXCEPT ![t] = l]

PushBegin(t) == /\ At(t, "idle")
                /\ \E n \in free : /\ free' = free \ {n}
                                   /\ new' = [new EXCEPT ![t] = n]
                /\ To(t, "push.read")
                /\ UNCHANGED <<top, next, old, abstract>>
PushRead(t) == /\ At(t, "push.read")
               /\ old' = [old EXCEPT ![t] = top]
               /\ next' = [next EXCEPT ![new[t]] = top]
               /\ To(t, "push.cas")
               /\ UNCHANGED <<top, free, new, abstract>>
PushCas(t) == /\ At(t, "push.cas")
              /\ IF top = old[t]
                 THEN /\ top' = new[t]
                      /\ abstract' = <<new[t]>> \o abstract
                      /\ To(t, "idle")
                 ELSE /\ To(t, "push.read")
                      /\ UNCHANGED <<top, abstract>>
              /\ UNCHANGED <<next, free, old, new>>
PopRead(t) == /\ At(t, "idle")
              /\ top # Null
              /\ old' = [old EXCEPT ![t] = top]
              /\ To(t, "pop.next")
              /\ UNCHANGED <<top, next, free, new, abstract>>
PopNext(t) == /\ At(t, "pop.next")
              /\ new' = [new EXCEPT ![t] = next[old[t]]]
              /\ To(t, "pop.cas")
              /\ UNCHANGED <<top, next, free, old, abstract>>
PopCas(t) == /\ At(t, "pop.cas")
             /\ To(t, "idle")
             /\ IF top = old[t]
                THEN /\ top' = new[t]
                     /\ abstract' = Tail(abstract)
                     /\ free' = IF Reuse THEN free \cup {old[t]} ELSE free
                ELSE UNCHANGED <<top, abstract, free>>
             /\ UNCHANGED <<next, old, new>>
Next == \E t \in Threads : \/ PushBegin(t) \/ PushRead(t) \/ PushCas(t)
                           \/ PopRead(t) \/ PopNext(t) \/ PopCas(t)
Spec == Init /\ [][Next]_vars

RECURSIVE Walk(_, _)
Walk(n, fuel) == IF n = Null \/ fuel = 0 THEN <<>> ELSE <<n>> \o Walk(next[n], fuel - 1)
Refines == abstract = Walk(top, Cardinality(Nodes) + 1)
===============================================================================
