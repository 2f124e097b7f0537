------------------------------- MODULE Beside -------------------------------
(* A next-state relation with effects beside the calls of its actions. *)
EXTENDS Naturals, FiniteSets

CONSTANT Keys
VARIABLES x, seen, ticks

Init == x = 0 /\ seen = 0 /\ ticks = 0

Add(n) == x' = x + n
Get(r) == r = x /\ UNCHANGED x
Look(r) == r = seen /\ UNCHANGED <<x, seen>>
Note(n) == seen' = n

Tick == ticks' = ticks + 1
Bounded == x' < 9

Next ==
    /\ ticks < 3
    /\ \/ \E n \in 1 .. 2 : Add(n) /\ seen' = n
       \/ \E n \in 5 .. 6 : UNCHANGED seen /\ Add(n)
       \/ \E n \in {3} : Add(n) /\ Note(n)
       \/ \E r \in 0 .. 9 : Get(r) /\ seen' \in {7}
       \/ \E r \in {0} : Get(r) /\ Note(8)
       \/ \E r \in 0 .. 9 : Look(r)
    /\ Tick
    /\ Bounded

\* What is beside a call depends on the constant.
Put(k) == x' = k /\ UNCHANGED ticks
Count == seen' = Cardinality(Keys)
Counting == (\E k \in Keys : Put(k) /\ Count) \/ \E r \in Nat : Look(r) /\ UNCHANGED ticks

\* Parts without a name that lead to actions, too.
Same == UNCHANGED <<seen, ticks>>
Locally == (\E n \in 5 .. 6 : Add(n) /\ Same) \/ LET Do(n) == Add(n) /\ Same IN \E n \in 1 .. 2 : Do(n)
ForAll == (\E n \in 5 .. 6 : Add(n) /\ Same) \/ (\A n \in {2} : Add(n) /\ Same) \/ \E r \in Nat : Get(r) /\ Same
AsValue == (\E n \in 5 .. 6 : Add(n) /\ Same) \/ \E n \in 1 .. 2 : (Add(n) /\ Same) = TRUE
=============================================================================
