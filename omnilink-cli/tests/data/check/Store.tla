------------------------------- MODULE Store -------------------------------
\* A store with sessions. Its constants are left to the trace, to a configuration or to the command line.
EXTENDS Integers, TLC

CONSTANTS Keys, Nil, Limit

VARIABLES store, sessions, writes

vars == <<store, sessions, writes>>

Init ==
    /\ store = [key \in {} |-> Nil]
    /\ sessions = {}
    /\ writes = 0

Known(key) == key \in DOMAIN store

Write(key, value) ==
    /\ writes < Limit
    /\ store' = (key :> value) @@ store
    /\ writes' = writes + 1
    /\ UNCHANGED sessions

Read(key, value) ==
    /\ \/ Known(key) /\ value = store[key]
       \/ ~Known(key) /\ value = Nil
    /\ UNCHANGED vars

Next ==
    \/ \E key \in Keys, value \in Int : Write(key, value)
    \/ \E key \in Keys, value \in Int \cup {Nil} : Read(key, value)

Few == writes < 3
=============================================================================
