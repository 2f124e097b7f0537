----------------------------- MODULE TicketLock -----------------------------
EXTENDS Integers
CONSTANTS Threads, Modulus
VARIABLES next, serving, my
Free == -1
Init == next = 0 /\ serving = 0 /\ my = [t \in Threads |-> Free]
Take(t) == /\ my[t] = Free
           /\ my' = [my EXCEPT ![t] = next]
           /\ next' = (next + 1) % Modulus
           /\ serving' = serving
Release(t) == /\ my[t] = serving
              /\ serving' = (serving + 1) % Modulus
              /\ my' = [my EXCEPT ![t] = Free]
              /\ UNCHANGED next
Next == \E t \in Threads : Take(t) \/ Release(t)
Holders == {t \in Threads : my[t] = serving}
AtMostOne == \A s, t \in Holders : s = t
=============================================================================
