------------------------------- MODULE Monitor -------------------------------
(* A bounded buffer guarded by a monitor with one wait set for producers and  *)
(* consumers. notify() wakes anybody, so it may wake the wrong one.           *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Producers, Consumers, BufCapacity, WakeAll
ASSUME /\ Producers \cap Consumers = {}
       /\ Producers # {} /\ Consumers # {}
       /\ BufCapacity > 0
Threads == Producers \cup Consumers
VARIABLES buffer, waitSet
Runnable == Threads \ waitSet
Init == buffer = <<>> /\ waitSet = {}
Notify == IF WakeAll THEN waitSet' = {}
          ELSE IF waitSet = {} THEN UNCHANGED waitSet
          ELSE \E x \in waitSet : waitSet' = waitSet \ {x}
Wait(t) == waitSet' = waitSet \cup {t} /\ UNCHANGED buffer
Put(t, m) == IF Len(buffer) < BufCapacity
             THEN buffer' = Append(buffer, m) /\ Notify
             ELSE Wait(t)
Get(t) == IF buffer # <<>> THEN buffer' = Tail(buffer) /\ Notify ELSE Wait(t)
Next == \E t \in Runnable : \/ t \in Producers /\ Put(t, t)
                            \/ t \in Consumers /\ Get(t)
Someone == Runnable # {}
===============================================================================
