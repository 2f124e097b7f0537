------------------------------ MODULE Storage ------------------------------
(***************************************************************************)
(* Transactions of WiredTiger under snapshot isolation, with timestamps.   *)
(*                                                                         *)
(* Every key has a chain of committed versions. A transaction sees of each *)
(* chain the newest version that was there when the transaction began, or, *)
(* if it has a read timestamp, the newest of these that was committed at   *)
(* that time or before. It may write a key only if it sees the newest      *)
(* version of all, and nobody else has a write of that key under way.      *)
(*                                                                         *)
(* A transaction that is prepared is bound to commit or roll back. Those   *)
(* that begin later see that there is something, but not yet what: reading *)
(* it is a prepare conflict.                                               *)
(*                                                                         *)
(* What a call returned is an argument of its action.                      *)
(*                                                                         *)
(* Only transactions that are open are remembered, and of every chain only *)
(* what somebody can still read, so that the state stays small however     *)
(* many transactions there are.                                            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Keys,
    RefusalEnds  \* Whether a commit that is refused ends its transaction (WiredTiger 11) or not (3).

VARIABLES
    versions,  \* Of every key, the committed versions, the newest last.
    open,      \* The transactions that are going on, by their numbers.
    stable,    \* Rolling back to stable keeps what is durable by this time.
    oldest     \* Nobody may read as of an earlier time than this.

vars == <<versions, open, stable, oldest>>

\* Of a key that has no value. Values are greater.
Absent == 0

\* Of a transaction without a read timestamp, and of one that is not prepared. Timestamps are greater.
Never == 0

Last(chain) == chain[Len(chain)]

Nothing == [value |-> Absent, commit |-> Never, durable |-> Never, by |-> 0]

Init ==
    /\ versions = [key \in Keys |-> <<Nothing>>]
    /\ open = [txn \in {} |-> Nothing]
    /\ stable = 1
    /\ oldest = 1

-----------------------------------------------------------------------------
\* What was committed at a time is seen by those who read as of another.
InTime(commit, read) == read = Never \/ commit <= read

\* The newest version of a chain that is seen as of a time.
Visible(chain, read) ==
    IF read = Never THEN Last(chain) ELSE Last(SelectSeq(chain, LAMBDA version : version.commit <= read))

\* Of a chain, what can still be read by transactions that begin when nobody reads as of before `old`, even after
\* rolling back to stable, which is never earlier: the newest version that is durable by then, and what follows it.
Trim(chain, old) ==
    LET settled == {place \in 1..Len(chain) : chain[place].durable <= old}
    IN  SubSeq(chain, CHOOSE place \in settled : \A other \in settled : other <= place, Len(chain))

\* What becomes of a transaction's write of a key.
Version(txn, key, commit, durable) ==
    [value |-> open[txn].writes[key], commit |-> commit, durable |-> durable, by |-> txn]

\* The chains after a transaction's writes of some keys.
Written(txn, keys, commit, durable) ==
    [key \in Keys |->
        IF key \in keys THEN Trim(Append(versions[key], Version(txn, key, commit, durable)), oldest)
        ELSE versions[key]]

\* The others, when a transaction is over.
Without(txn) ==
    [other \in DOMAIN open \ {txn} |->
        IF txn \in open[other].blind THEN [open[other] EXCEPT !.blind = @ \ {txn}] ELSE open[other]]

IsOpen(txn) == txn \in DOMAIN open
IsPrepared(txn) == open[txn].prepared # Never
IsRunning(txn) == IsOpen(txn) /\ ~IsPrepared(txn)
KeysOf(txn) == DOMAIN open[txn].writes

\* What a transaction sees under a key, if nothing is in the way.
Seen(txn, key) == IF key \in KeysOf(txn) THEN open[txn].writes[key] ELSE open[txn].snapshot[key].value

\* Whether somebody has written the key, and it is not seen by the transaction.
Conflicts(txn, key) ==
    \/ Last(versions[key]) # open[txn].snapshot[key]
    \/ \E other \in DOMAIN open : other # txn /\ key \in KeysOf(other)

\* Whether what the transaction would see has been prepared, and is neither committed nor rolled back yet.
IsInDoubt(txn, key) ==
    \E other \in DOMAIN open :
        /\ other # txn
        /\ IsPrepared(other)
        /\ txn \notin open[other].blind
        /\ key \in KeysOf(other)
        /\ InTime(open[other].prepared, open[txn].read)

\* After a conflict a transaction that has written something can only be rolled back.
IsDoomed(txn) == open[txn].failed /\ KeysOf(txn) # {}

-----------------------------------------------------------------------------
Begin(txn, read, status) ==
    /\ ~IsOpen(txn)
    /\ status = IF read # Never /\ read < oldest THEN "EINVAL" ELSE "OK"
    /\ open' = IF status = "OK"
               THEN (txn :> [read |-> read,
                             snapshot |-> [key \in Keys |-> Visible(versions[key], read)],
                             writes |-> [key \in {} |-> Absent],
                             failed |-> FALSE,
                             prepared |-> Never,
                             \* Those that began before it was prepared: they will not see it.
                             blind |-> {}]) @@ open
               ELSE open
    /\ UNCHANGED <<versions, stable, oldest>>

Read(txn, key, value, status) ==
    /\ IsRunning(txn)
    /\ status = IF IsInDoubt(txn, key) THEN "PREPARE_CONFLICT"
                ELSE IF Seen(txn, key) = Absent THEN "NOTFOUND" ELSE "OK"
    /\ value = IF status = "OK" THEN Seen(txn, key) ELSE Absent
    /\ UNCHANGED vars

Write(txn, key, value, status) ==
    /\ IsRunning(txn)
    /\ status = IF Conflicts(txn, key) THEN "ROLLBACK" ELSE "OK"
    /\ open' = IF status = "OK" THEN [open EXCEPT ![txn].writes = (key :> value) @@ @]
               ELSE [open EXCEPT ![txn].failed = TRUE]
    /\ UNCHANGED <<versions, stable, oldest>>

Remove(txn, key, status) ==
    /\ IsRunning(txn)
    /\ status = IF Conflicts(txn, key) THEN "ROLLBACK"
                ELSE IF Seen(txn, key) = Absent THEN "NOTFOUND" ELSE "OK"
    /\ open' = CASE status = "OK" -> [open EXCEPT ![txn].writes = (key :> Absent) @@ @]
                 [] status = "ROLLBACK" -> [open EXCEPT ![txn].failed = TRUE]
                 [] OTHER -> open
    /\ UNCHANGED <<versions, stable, oldest>>

Prepare(txn, prepare, status) ==
    /\ IsRunning(txn)
    /\ prepare > stable
    /\ status = IF IsDoomed(txn) THEN "EINVAL" ELSE "OK"
    /\ open' = IF status = "OK"
               THEN [open EXCEPT ![txn].prepared = prepare, ![txn].blind = DOMAIN open \ {txn}]
               ELSE open
    /\ UNCHANGED <<versions, stable, oldest>>

Commit(txn, commit) ==
    /\ IsRunning(txn)
    /\ commit > stable
    /\ ~IsDoomed(txn)
    /\ versions' = Written(txn, KeysOf(txn), commit, commit)
    /\ open' = Without(txn)
    /\ UNCHANGED <<stable, oldest>>

-----------------------------------------------------------------------------
(***************************************************************************)
(* What was prepared is committed key by key, and what is rolled back is   *)
(* rolled back key by key; others can see that.                            *)
(***************************************************************************)

\* The version that a prepared transaction leaves is seen by those that began after it was prepared.
Resolved(txn, keys, commit, durable) ==
    [other \in DOMAIN open |->
        IF other \in open[txn].blind \cup {txn} \/ ~InTime(commit, open[other].read)
        THEN open[other]
        ELSE [open[other] EXCEPT !.snapshot =
                [key \in Keys |-> IF key \in keys THEN Version(txn, key, commit, durable) ELSE @[key]]]]

MayResolve(txn, commit, durable) ==
    /\ IsOpen(txn)
    /\ IsPrepared(txn)
    /\ commit >= open[txn].prepared
    /\ durable >= commit
    /\ durable > stable

\* A transaction's writes without one.
Forget(txn, key) == [other \in KeysOf(txn) \ {key} |-> open[txn].writes[other]]

\* One key, which is not the last.
CommitPrepared_Step(txn, commit, durable) ==
    /\ MayResolve(txn, commit, durable)
    /\ Cardinality(KeysOf(txn)) > 1
    /\ \E key \in KeysOf(txn) :
        /\ versions' = Written(txn, {key}, commit, durable)
        /\ open' = [Resolved(txn, {key}, commit, durable) EXCEPT ![txn].writes = Forget(txn, key)]
    /\ UNCHANGED <<stable, oldest>>

CommitPrepared_Done(txn, commit, durable) ==
    /\ MayResolve(txn, commit, durable)
    /\ versions' = Written(txn, KeysOf(txn), commit, durable)
    /\ LET resolved == Resolved(txn, KeysOf(txn), commit, durable)
       IN  open' = [other \in DOMAIN open \ {txn} |->
                        IF txn \in resolved[other].blind
                        THEN [resolved[other] EXCEPT !.blind = @ \ {txn}]
                        ELSE resolved[other]]
    /\ UNCHANGED <<stable, oldest>>

UndoOne(txn) ==
    /\ Cardinality(KeysOf(txn)) > 1
    /\ \E key \in KeysOf(txn) : open' = [open EXCEPT ![txn].writes = Forget(txn, key)]
    /\ UNCHANGED <<versions, stable, oldest>>

UndoRest(txn) ==
    /\ open' = Without(txn)
    /\ UNCHANGED <<versions, stable, oldest>>

Rollback_Step(txn) == IsOpen(txn) /\ UndoOne(txn)

Rollback_Done(txn) == IsOpen(txn) /\ UndoRest(txn)

\* A commit that returned EINVAL.
CommitRefused_Step(txn, commit) == IsRunning(txn) /\ IsDoomed(txn) /\ RefusalEnds /\ UndoOne(txn)

CommitRefused_Done(txn, commit) ==
    /\ IsRunning(txn)
    /\ IsDoomed(txn)
    /\ open' = IF RefusalEnds THEN Without(txn) ELSE open
    /\ UNCHANGED <<versions, stable, oldest>>

-----------------------------------------------------------------------------
\* Versions of WiredTiger differ in what they say of a time that is not before the oldest, but before the stable one.
SetStable(time, status) ==
    /\ time >= stable \/ time < oldest
    /\ status = IF time < oldest THEN "EINVAL" ELSE "OK"
    /\ stable' = IF status = "OK" THEN time ELSE stable
    /\ UNCHANGED <<versions, open, oldest>>

SetOldest(time, status) ==
    /\ time >= oldest
    /\ status = IF time > stable THEN "EINVAL" ELSE "OK"
    /\ oldest' = IF status = "OK" THEN time ELSE oldest
    /\ versions' = [key \in Keys |-> Trim(versions[key], oldest')]
    /\ UNCHANGED <<open, stable>>

RollbackToStable ==
    /\ open = [txn \in {} |-> Nothing]
    /\ versions' = [key \in Keys |-> SelectSeq(versions[key], LAMBDA version : version.durable <= stable)]
    /\ UNCHANGED <<open, stable, oldest>>

-----------------------------------------------------------------------------
\* What calls return.
Statuses == {"OK", "ROLLBACK", "NOTFOUND", "PREPARE_CONFLICT", "EINVAL"}

Next ==
    \/ \E txn \in Nat :
        \/ \E read \in Nat, status \in Statuses : Begin(txn, read, status)
        \/ \E key \in Keys, status \in Statuses :
            \/ \E value \in Nat : Read(txn, key, value, status) \/ Write(txn, key, value, status)
            \/ Remove(txn, key, status)
        \/ \E prepare \in Nat, status \in Statuses : Prepare(txn, prepare, status)
        \/ \E commit \in Nat :
            \/ Commit(txn, commit)
            \/ CommitRefused_Step(txn, commit) \/ CommitRefused_Done(txn, commit)
            \/ \E durable \in Nat :
                CommitPrepared_Step(txn, commit, durable) \/ CommitPrepared_Done(txn, commit, durable)
        \/ Rollback_Step(txn) \/ Rollback_Done(txn)
    \/ \E time \in Nat, status \in Statuses : SetStable(time, status) \/ SetOldest(time, status)
    \/ RollbackToStable

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* For `omnilink check --also Action=Coded`: the code that a call returned is what its status stands for.
Coded(event) ==
    event.meta.code = CASE event.args.status = "OK" -> 0
                        [] event.args.status = "ROLLBACK" -> -31800
                        [] event.args.status = "NOTFOUND" -> -31803
                        [] event.args.status = "PREPARE_CONFLICT" -> -31808
                        [] event.args.status = "EINVAL" -> 22
=============================================================================
