----------------------------- MODULE EnabledGuards -----------------------------
EXTENDS Naturals
CONSTANT Limit
VARIABLES a, b, turn
vars == <<a, b, turn>>
Init == a = 0 /\ b = 0 /\ turn = "a"
IncA == a < Limit /\ a' = a + 1 /\ UNCHANGED <<b, turn>>
IncB(k) == /\ turn = "b"
           /\ b + k <= Limit
           /\ b' = b + k
           /\ UNCHANGED <<a, turn>>
Pass == /\ ~ENABLED IncA /\ turn = "a"
        /\ turn' = "b" /\ UNCHANGED <<a, b>>
Reset == /\ ~ENABLED (IncA \/ \E k \in 1..2 : IncB(k))
         /\ turn = "b"
         /\ a' = 0 /\ b' = 0 /\ turn' = "a"
Next == IncA \/ Pass \/ Reset \/ \E k \in 1..2 : IncB(k)
Inv == /\ ENABLED Next
       /\ (ENABLED IncA) = (a < Limit)
       /\ ENABLED (a' = 17 /\ b' \in {a'} /\ turn' = "nowhere")
       /\ ENABLED <<Next>>_vars
       /\ ~ENABLED (a' \in {} /\ UNCHANGED <<b, turn>>)
       /\ (ENABLED IncB(2)) => ENABLED IncB(1)
=================================================================================
