-------------------------------- MODULE Lock --------------------------------
(***************************************************************************)
(* A lock as its users see it: at most one thread holds it. TryLock either *)
(* takes it or finds that another thread holds it.                         *)
(***************************************************************************)
EXTENDS Naturals

VARIABLE holders  \* The threads that hold the lock: none, or one.

Init == holders = {}

Acquire(thread) ==
    /\ holders = {}
    /\ holders' = {thread}

\* An attempt that finds the lock held.
Busy(thread) ==
    /\ holders # {}
    /\ UNCHANGED holders

Release(thread) ==
    /\ holders = {thread}
    /\ holders' = {}

Next ==
    \E thread \in Nat :
        \/ Acquire(thread)
        \/ Busy(thread)
        \/ Release(thread)

Spec == Init /\ [][Next]_holders

TypeOK == holders \subseteq Nat

\* Holds by construction: every action keeps it.
AtMostOne == \A a, b \in holders : a = b
=============================================================================
