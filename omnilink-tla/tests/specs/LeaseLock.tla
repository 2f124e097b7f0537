------------------------------- MODULE LeaseLock -------------------------------
(* A lock with leases and fencing tokens: a slow client may believe in a lease    *)
(* that is over; storage that checks tokens is safe all the same.                 *)
EXTENDS Naturals, FiniteSets
CONSTANTS Client, MaxTime, Term, Fenced
VARIABLES now, lease, token, belief, stored
vars == <<now, lease, token, belief, stored>>
NoLease == [holder |-> "none", until |-> 0]
Init == /\ now = 0 /\ token = 0
        /\ lease = NoLease
        /\ belief = [c \in Client |-> 0]
        /\ stored = [token |-> 0, stale |-> FALSE]
Tick == now < MaxTime /\ now' = now + 1 /\ UNCHANGED <<lease, token, belief, stored>>
Acquire(c) == /\ lease.until <= now
              /\ token' = token + 1
              /\ lease' = [holder |-> c, until |-> now + Term]
              /\ belief' = [belief EXCEPT ![c] = token']
              /\ UNCHANGED <<now, stored>>
Write(c) == LET mine == belief[c] IN
            /\ mine > 0
            /\ Fenced => mine >= stored.token
            /\ stored' = [stored EXCEPT !.token = mine,
                                        !.stale = @ \/ mine < stored.token]
            /\ UNCHANGED <<now, lease, token, belief>>
GiveUp(c) == belief[c] > 0 /\ belief' = [belief EXCEPT ![c] = 0] /\ UNCHANGED <<now, lease, token, stored>>
Next == Tick \/ \E c \in Client : Acquire(c) \/ Write(c) \/ GiveUp(c)
Spec == Init /\ [][Next]_vars
NoStaleWrite == ~stored.stale
===============================================================================
