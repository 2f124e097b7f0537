--------------------------- MODULE AtomicStorage ---------------------------
(***************************************************************************)
(* Storage, if what was prepared were committed at one moment, and what is *)
(* rolled back were rolled back at one moment.                             *)
(***************************************************************************)
EXTENDS Storage

CommitPrepared(txn, commit, durable) == IsPrepared(txn) /\ CommitPrepared_Done(txn, commit, durable)

Rollback(txn) == IsOpen(txn) /\ Rollback_Done(txn)

CommitRefused(txn, commit) == IsRunning(txn) /\ CommitRefused_Done(txn, commit)

AtomicNext ==
    \/ \E txn \in Nat :
        \/ \E read \in Nat, status \in Statuses : Begin(txn, read, status)
        \/ \E key \in Keys, status \in Statuses :
            \/ \E value \in Nat : Read(txn, key, value, status) \/ Write(txn, key, value, status)
            \/ Remove(txn, key, status)
        \/ \E prepare \in Nat, status \in Statuses : Prepare(txn, prepare, status)
        \/ \E commit \in Nat :
            \/ Commit(txn, commit)
            \/ CommitRefused(txn, commit)
            \/ \E durable \in Nat : CommitPrepared(txn, commit, durable)
        \/ Rollback(txn)
    \/ \E time \in Nat, status \in Statuses : SetStable(time, status) \/ SetOldest(time, status)
    \/ RollbackToStable
=============================================================================
