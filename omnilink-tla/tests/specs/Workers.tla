-------------------------------- MODULE Workers --------------------------------
(* A pool with work stealing: deques as sequences, owners at the back, thieves at *)
(* the front.                                                                     *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Worker, Tasks
VARIABLES deque, running, done
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]
Range(f) == {f[x] : x \in DOMAIN f}
Init == /\ \E w \in Worker : deque = [v \in Worker |-> IF v = w THEN [i \in 1..Tasks |-> i] ELSE <<>>]
        /\ running = [w \in Worker |-> 0]
        /\ done = {}
Take(w) == /\ running[w] = 0 /\ deque[w] # <<>>
           /\ running' = [running EXCEPT ![w] = Last(deque[w])]
           /\ deque' = [deque EXCEPT ![w] = Front(@)]
           /\ UNCHANGED done
Steal(w, v) == /\ running[w] = 0 /\ deque[w] = <<>> /\ deque[v] # <<>>
               /\ running' = [running EXCEPT ![w] = Head(deque[v])]
               /\ deque' = [deque EXCEPT ![v] = Tail(@)]
               /\ UNCHANGED done
Finish(w) == /\ running[w] # 0
             /\ done' = done \cup {running[w]}
             /\ running' = [running EXCEPT ![w] = 0]
             /\ UNCHANGED deque
Rest == done = 1..Tasks /\ UNCHANGED <<deque, running, done>>
Next == Rest \/ \E w \in Worker : Take(w) \/ Finish(w) \/ \E v \in Worker \ {w} : Steal(w, v)
Queued == UNION {Range(deque[w]) : w \in Worker}
Busy == Range(running) \ {0}
Partition == /\ Queued \cup Busy \cup done = 1..Tasks
             /\ Cardinality(Queued) + Cardinality(Busy) + Cardinality(done) = Tasks
=================================================================================
