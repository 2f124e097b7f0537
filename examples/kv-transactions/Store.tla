------------------------------- MODULE Store -------------------------------
(***************************************************************************)
(* A store of keys and values with transactions under snapshot isolation.  *)
(*                                                                         *)
(* A transaction sees the store as it was when the transaction began, and  *)
(* what it wrote itself. Its writes reach the store when it commits, all   *)
(* at once, unless another transaction has committed a write to one of the *)
(* same keys meanwhile: the first committer wins, the other one gets a     *)
(* conflict and is over.                                                   *)
(*                                                                         *)
(* Transactions as a whole are not linearizable: of two that each read     *)
(* what the other one writes, both may commit. Their operations are: each  *)
(* of them takes effect in one step, and these steps are the actions.      *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANT Keys

VARIABLES
    store,  \* The committed value of every key.
    open    \* The transactions that are going on, by their numbers.

vars == <<store, open>>

\* What every key holds before the first write.
Initial == 0

Nothing == [key \in {} |-> Initial]

Init ==
    /\ store = [key \in Keys |-> Initial]
    /\ open = [tx \in {} |-> Initial]

\* Numbers are not used again.
Begin(tx) ==
    /\ tx \notin DOMAIN open
    /\ open' = (tx :> [snapshot |-> store, written |-> Nothing, stale |-> {}]) @@ open
    /\ UNCHANGED store

\* What a transaction sees under a key.
Seen(tx, key) == IF key \in DOMAIN open[tx].written THEN open[tx].written[key] ELSE open[tx].snapshot[key]

Read(tx, key, value) ==
    /\ tx \in DOMAIN open
    /\ value = Seen(tx, key)
    /\ UNCHANGED vars

Write(tx, key, value) ==
    /\ tx \in DOMAIN open
    /\ open' = [open EXCEPT ![tx].written = (key :> value) @@ @]
    /\ UNCHANGED store

\* Whether somebody has committed a write to what the transaction has written.
Conflicts(tx) == DOMAIN open[tx].written \cap open[tx].stale # {}

Others(tx) == DOMAIN open \ {tx}

Commit(tx) ==
    /\ tx \in DOMAIN open
    /\ ~Conflicts(tx)
    /\ store' = open[tx].written @@ store
    /\ open' = [other \in Others(tx) |-> [open[other] EXCEPT !.stale = @ \cup DOMAIN open[tx].written]]

\* A commit that was refused.
CommitConflict(tx) ==
    /\ tx \in DOMAIN open
    /\ Conflicts(tx)
    /\ open' = [other \in Others(tx) |-> open[other]]
    /\ UNCHANGED store

\* The user thinks better of it.
Rollback(tx) ==
    /\ tx \in DOMAIN open
    /\ open' = [other \in Others(tx) |-> open[other]]
    /\ UNCHANGED store

\* What a trace says besides its actions. A commit that did not get its turn had no effect, but its transaction is open.
Aborted(event) ==
    /\ event.action = "Commit"
    /\ event.args.tx \in DOMAIN open
    /\ UNCHANGED vars

\* A thread that ends rolls back what it has open.
Ended(event) ==
    IF "rolled_back" \in DOMAIN event.meta THEN Rollback(event.meta.rolled_back) ELSE UNCHANGED vars

Next ==
    \E tx \in Nat :
        \/ Begin(tx)
        \/ \E key \in Keys, value \in Nat : Read(tx, key, value) \/ Write(tx, key, value)
        \/ Commit(tx)
        \/ CommitConflict(tx)
        \/ Rollback(tx)

Spec == Init /\ [][Next]_vars

TypeOK ==
    /\ store \in [Keys -> Nat]
    /\ \A tx \in DOMAIN open :
        /\ open[tx].snapshot \in [Keys -> Nat]
        /\ DOMAIN open[tx].written \subseteq Keys
        /\ open[tx].stale \subseteq Keys

\* Whatever a transaction has not seen changing is as its snapshot says.
SnapshotIsCurrentUnlessStale ==
    \A tx \in DOMAIN open : \A key \in Keys \ open[tx].stale : open[tx].snapshot[key] = store[key]
=============================================================================
