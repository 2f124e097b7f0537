------------------------------ MODULE Subtrees ------------------------------
\* Disjunctions with names, an action that is reached twice, fixed arguments, and steps in which nothing changes.
EXTENDS Naturals
CONSTANT Keys
VARIABLE store

Init == store = [k \in Keys |-> 0]

Put(key, value) == store' = [store EXCEPT ![key] = value]
Get(key, value) == store[key] = value /\ UNCHANGED store
Reset(to) == store' = [k \in Keys |-> to]

Read(key) == \E value \in 0..9 : Get(key, value)
Write(key) ==
    \/ \E value \in 1..9 : Put(key, value)
    \/ Put(key, 0)
ClientStep(client) == Read(client) \/ Write(client)

Next ==
    \/ \E client \in Keys : ClientStep(client)
    \/ Reset(0)
    \/ Reset(7)
    \/ UNCHANGED store
=============================================================================
