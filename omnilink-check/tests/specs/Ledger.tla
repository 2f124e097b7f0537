------------------------------- MODULE Ledger -------------------------------
(* Users' operators over events, a view that hides what matters, and constraints. *)
EXTENDS Naturals, TLC

VARIABLES balance, failures

vars == <<balance, failures>>

Init == balance = 0 /\ failures = 0

Deposit(amount) == balance' = balance + amount /\ UNCHANGED failures

Note == failures' = failures + 1 /\ UNCHANGED balance

Either == failures' \in 0..1 /\ UNCHANGED balance

Balance(result) == balance = result /\ UNCHANGED vars

Failures(result) == failures = result /\ UNCHANGED vars

Next ==
    \/ \E amount \in 1..3 : Deposit(amount)
    \/ Note
    \/ Either
    \/ \E result \in Nat : Balance(result) \/ Failures(result)

\* An aborted call that says so has still counted as a failure.
OnAbort(event) == event.meta.counted /\ failures' = failures + 1 /\ UNCHANGED balance

\* A thread that ends takes everything.
OnTerminate(event) == balance' = 0 /\ UNCHANGED failures

\* Deposits are made by the first lane only.
OnlyFirst(event) == event.lane = 0 /\ event.args.amount = balance' - balance

View == balance

Small == balance < 3

\* Means something else whenever it is tried.
Lucky(amount) == balance' = balance + RandomElement(1..3) /\ amount = 1 /\ UNCHANGED failures

LuckyNext == \E amount \in 1..3 : Deposit(amount) \/ Lucky(amount)

Never == FALSE /\ Init
=============================================================================
