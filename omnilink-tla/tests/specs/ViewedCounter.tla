----------------------------- MODULE ViewedCounter -----------------------------
EXTENDS Naturals
VARIABLES tick, noise, parity
vars == <<tick, noise, parity>>
Init == tick = 0 /\ noise \in 0..3 /\ parity = 0
Step == tick < 6 /\ tick' = tick + 1 /\ noise' \in 0..3 /\ parity' = (parity + noise') % 2
Next == Step \/ (tick = 6 /\ UNCHANGED vars)
Coarse == <<tick, parity>>
\* True of the states that are kept, which depends on which one of a view comes first.
Inv == tick <= 6
=================================================================================
