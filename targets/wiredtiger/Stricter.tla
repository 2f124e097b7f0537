------------------------------ MODULE Stricter ------------------------------
(***************************************************************************)
(* What one might expect of commits, and WiredTiger does not promise: for  *)
(* `omnilink check --also Commit=…`.                                       *)
(***************************************************************************)
EXTENDS Storage

\* A transaction that has had a conflict does not commit, even if it has written nothing.
NotAfterConflict(event) == ~open[event.args.txn].failed

\* No two transactions that wrote something commit at the same time.
AtItsOwnTime(event) ==
    KeysOf(event.args.txn) # {} => \A key \in Keys : Last(versions[key]).commit # event.args.commit

\* Transactions that wrote something commit in the order of their timestamps, whatever they wrote.
InOrder(event) ==
    KeysOf(event.args.txn) # {} => \A key \in Keys : Last(versions[key]).commit <= event.args.commit
=============================================================================
