---- MODULE Peterson ----
\* Two threads, two flags, one turn. Program counters are strings.
VARIABLES pc, flag, turn
Thread == {0, 1}
Other(t) == IF t = 0 THEN 1 ELSE 0
vars == << pc, flag, turn >>
Init == /\ pc = [t \in Thread |-> "idle"]
        /\ flag = [t \in Thread |-> FALSE]
        /\ turn \in Thread
Goto(t, from, to) == pc[t] = from /\ pc' = [pc EXCEPT ![t] = to]
Raise(t) == Goto(t, "idle", "give") /\ flag' = [flag EXCEPT ![t] = TRUE] /\ UNCHANGED turn
Give(t)  == Goto(t, "give", "wait") /\ turn' = Other(t) /\ UNCHANGED flag
Enter(t) == /\ Goto(t, "wait", "cs")
            /\ ~flag[Other(t)] \/ turn = t
            /\ UNCHANGED <<flag, turn>>
Leave(t) == Goto(t, "cs", "idle") /\ flag' = [flag EXCEPT ![t] = FALSE] /\ UNCHANGED turn
Step(t) == Raise(t) \/ Give(t) \/ Enter(t) \/ Leave(t)
Next == Step(0) \/ Step(1)
Fairness == \A t \in Thread : WF_vars(Give(t) \/ Enter(t) \/ Leave(t))
Spec == Init /\ [][Next]_vars /\ Fairness
Mutex == ~(pc[0] = "cs" /\ pc[1] = "cs")
Progress == \A t \in Thread : pc[t] = "wait" ~> pc[t] = "cs"
====
