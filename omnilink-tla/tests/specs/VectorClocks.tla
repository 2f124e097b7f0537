----------------------------- MODULE VectorClocks -----------------------------
(* Events get vector timestamps; their order is compared with the causal       *)
(* history kept beside as sets.                                                *)
EXTENDS Naturals, Sequences
CONSTANTS Proc, MaxEvents
VARIABLES clock, causes, inflight
Event == Proc \X (1..MaxEvents)
a \prec b == (\A p \in Proc : a[p] <= b[p]) /\ a # b
Join(a, b) == [p \in Proc |-> IF a[p] >= b[p] THEN a[p] ELSE b[p]]
Tick(c, p) == [c EXCEPT ![p] = @ + 1]
Init == /\ clock = [p \in Proc |-> [q \in Proc |-> 0]]
        /\ causes = [p \in Proc |-> {}]
        /\ inflight = {}
CanTick(p) == clock[p][p] < MaxEvents
Send(p) == /\ CanTick(p)
           /\ clock' = [clock EXCEPT ![p] = Tick(@, p)]
           /\ causes' = [causes EXCEPT ![p] = @ \cup {<<p, clock'[p][p]>>}]
           /\ inflight' = inflight \cup {<<clock'[p], causes'[p]>>}
Receive(p) == /\ CanTick(p)
              /\ \E <<c, h>> \in inflight :
                   /\ c[p] < clock[p][p] \/ c[p] = 0
                   /\ clock' = [clock EXCEPT ![p] = Tick(Join(@, c), p)]
                   /\ causes' = [causes EXCEPT ![p] = (@ \cup h) \cup {<<p, clock'[p][p]>>}]
              /\ UNCHANGED inflight
Next == \E p \in Proc : Send(p) \/ Receive(p)
Exact == \A p \in Proc : causes[p] = {<<q, n>> \in Event : n <= clock[p][q]}
OrderIsInclusion == \A p, q \in Proc : clock[p] \prec clock[q] => causes[p] \subseteq causes[q]
===============================================================================
