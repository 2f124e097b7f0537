----------------------------- MODULE MCStorage -----------------------------
(***************************************************************************)
(* Storage with few transactions, keys and times, so that all states can   *)
(* be explored, and with a memory of what has been, so that it can be said *)
(* what snapshot isolation is.                                             *)
(***************************************************************************)
EXTENDS Storage

CONSTANTS Txns, Times

VARIABLES
    peers,  \* Of every transaction that has begun: those that it does not see, or that do not see it.
    wrote   \* Of every transaction that has committed: the keys that it wrote.

mcvars == <<vars, peers, wrote>>

\* Numbers of transactions, timestamps and values.
SomeNats == Txns \cup Times \cup {Never}

MCInit ==
    /\ Init
    /\ peers = [txn \in {} |-> {}]
    /\ wrote = [txn \in {} |-> {}]

Unprepared == {txn \in DOMAIN open : ~IsPrepared(txn)}

MCBegin(txn, read, status) ==
    /\ txn \notin DOMAIN peers
    /\ Begin(txn, read, status)
    /\ peers' = IF status # "OK" THEN peers
                ELSE [other \in DOMAIN peers \cup {txn} |->
                        IF other = txn THEN Unprepared
                        ELSE IF other \in Unprepared THEN peers[other] \cup {txn} ELSE peers[other]]
    /\ UNCHANGED wrote

\* What the transaction has written is committed, or was being committed.
Committed(txn, keys) ==
    /\ wrote' = (txn :> (keys \cup IF txn \in DOMAIN wrote THEN wrote[txn] ELSE {})) @@ wrote
    /\ UNCHANGED peers

\* The value that a transaction writes is its number.
MCNext ==
    \/ \E txn \in Txns :
        \/ \E read \in Times \cup {Never}, status \in Statuses : MCBegin(txn, read, status)
        \/ \E key \in Keys, status \in Statuses :
            /\ \/ \E value \in Txns \cup {Absent} : Read(txn, key, value, status)
               \/ Write(txn, key, txn, status)
               \/ Remove(txn, key, status)
            /\ UNCHANGED <<peers, wrote>>
        \/ \E prepare \in Times, status \in Statuses : Prepare(txn, prepare, status) /\ UNCHANGED <<peers, wrote>>
        \/ \E commit \in Times :
            \/ Commit(txn, commit) /\ Committed(txn, KeysOf(txn))
            \/ (CommitRefused_Step(txn, commit) \/ CommitRefused_Done(txn, commit)) /\ UNCHANGED <<peers, wrote>>
            \/ \E durable \in Times :
                \/ CommitPrepared_Step(txn, commit, durable) /\ Committed(txn, KeysOf(txn) \ DOMAIN open'[txn].writes)
                \/ CommitPrepared_Done(txn, commit, durable) /\ Committed(txn, KeysOf(txn))
        \/ (Rollback_Step(txn) \/ Rollback_Done(txn)) /\ UNCHANGED <<peers, wrote>>
    \/ \E time \in Times, status \in Statuses :
        (SetStable(time, status) \/ SetOldest(time, status)) /\ UNCHANGED <<peers, wrote>>
    \/ RollbackToStable /\ UNCHANGED <<peers, wrote>>

-----------------------------------------------------------------------------
Versions ==
    [value : Txns \cup {Absent}, commit : Times \cup {Never}, durable : Times \cup {Never}, by : Txns \cup {0}]

TypeOK ==
    /\ \A key \in Keys : versions[key] # <<>> /\ \A place \in DOMAIN versions[key] : versions[key][place] \in Versions
    /\ \A txn \in DOMAIN open :
        /\ open[txn].read \in Times \cup {Never}
        /\ \A key \in Keys : open[txn].snapshot[key] \in Versions
        /\ KeysOf(txn) \subseteq Keys
        /\ open[txn].prepared \in Times \cup {Never}
        /\ open[txn].blind \subseteq DOMAIN open \ {txn}
    /\ oldest <= stable

\* Of two transactions of which neither sees the other, at most one commits a write of a key.
FirstCommitterWins ==
    \A txn \in DOMAIN wrote : \A other \in DOMAIN wrote :
        txn # other /\ other \in peers[txn] => wrote[txn] \cap wrote[other] = {}

\* At most one transaction has a write of a key under way, and it sees the newest version that was committed.
OneWriterAtATime ==
    \A txn \in DOMAIN open : \A key \in KeysOf(txn) :
        /\ \A other \in DOMAIN open : key \in KeysOf(other) => other = txn
        /\ open[txn].snapshot[key] = Last(versions[key])

\* Nobody sees what was committed later than it reads.
NobodySeesTheFuture ==
    \A txn \in DOMAIN open : \A key \in Keys : InTime(open[txn].snapshot[key].commit, open[txn].read)

\* There is always something to read, and to roll back to.
NothingIsLost == \A key \in Keys : versions[key][1].durable <= oldest
=============================================================================
