----------------------------- MODULE FilterLock -----------------------------
\* Peterson's lock for n threads: n - 1 rooms, each holds one thread back.
EXTENDS Naturals, FiniteSets
CONSTANT n
ASSUME n \in Nat \ {0}
Thread == 1 .. n
Room == 1 .. (n - 1)
VARIABLES level, victim, pc
TypeOK == /\ level \in [Thread -> 0 .. (n - 1)]
          /\ victim \in [Room -> Thread]
          /\ pc \in [Thread -> {"start", "declare", "yield", "wait", "cs"}]
Init == /\ level = [t \in Thread |-> 0]
        /\ victim = [r \in Room |-> 1]
        /\ pc = [t \in Thread |-> "start"]

Clear(t) == \/ \A u \in Thread \ {t} : level[u] < level[t]
            \/ victim[level[t]] # t

Start(t) == /\ pc[t] = "start"
            /\ pc' = [pc EXCEPT ![t] = "declare"]
            /\ UNCHANGED <<level, victim>>
Declare(t) == /\ pc[t] = "declare"
              /\ level' = [level EXCEPT ![t] = @ + 1]
              /\ pc' = [pc EXCEPT ![t] = "yield"]
              /\ UNCHANGED victim
Yield(t) == /\ pc[t] = "yield"
            /\ victim' = [victim EXCEPT ![level[t]] = t]
            /\ pc' = [pc EXCEPT ![t] = "wait"]
            /\ UNCHANGED level
Wait(t) == /\ pc[t] = "wait"
           /\ Clear(t)
           /\ pc' = [pc EXCEPT ![t] = IF level[t] = n - 1 THEN "cs" ELSE "declare"]
           /\ UNCHANGED <<level, victim>>
Leave(t) == /\ pc[t] = "cs"
            /\ level' = [level EXCEPT ![t] = 0]
            /\ pc' = [pc EXCEPT ![t] = "start"]
            /\ UNCHANGED victim
Next == \E t \in Thread : Start(t) \/ Declare(t) \/ Yield(t) \/ Wait(t) \/ Leave(t)
Mutex == Cardinality({t \in Thread : pc[t] = "cs"}) \leq 1
=============================================================================
