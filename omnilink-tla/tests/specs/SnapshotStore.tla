---------------------------- MODULE SnapshotStore ----------------------------
(* A key-value store whose transactions read from the snapshot taken when     *)
(* they began and commit unless somebody else wrote one of their keys.        *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Key, Val, TxId, NoVal

VARIABLES store, open, snapshot, written, missed
vars == <<store, open, snapshot, written, missed>>

Store == [Key -> Val \cup {NoVal}]
None == [k \in Key |-> NoVal]

TypeOK == /\ store \in Store
          /\ open \subseteq TxId
          /\ snapshot \in [TxId -> Store]
          /\ written \in [TxId -> SUBSET Key]
          /\ missed \in [TxId -> SUBSET Key]

Init == /\ store = None
        /\ open = {}
        /\ snapshot = [t \in TxId |-> None]
        /\ written = [t \in TxId |-> {}]
        /\ missed = [t \in TxId |-> {}]

Begin(t) == /\ t \notin open
            /\ open' = open \cup {t}
            /\ snapshot' = [snapshot EXCEPT ![t] = store]
            /\ UNCHANGED <<store, written, missed>>

Put(t, k, v) == /\ t \in open
                /\ snapshot[t][k] # v
                /\ snapshot' = [snapshot EXCEPT ![t][k] = v]
                /\ written' = [written EXCEPT ![t] = @ \cup {k}]
                /\ UNCHANGED <<store, open, missed>>

Add(t, k, v)    == snapshot[t][k] = NoVal /\ Put(t, k, v)
Update(t, k, v) == snapshot[t][k] \notin {NoVal, v} /\ Put(t, k, v)
Remove(t, k)    == snapshot[t][k] /= NoVal /\ Put(t, k, NoVal)

Forget(t) == /\ open' = open \ {t}
             /\ snapshot' = [snapshot EXCEPT ![t] = None]
             /\ written' = [written EXCEPT ![t] = {}]

Rollback(t) == /\ t \in open
               /\ Forget(t)
               /\ missed' = [missed EXCEPT ![t] = {}]
               /\ UNCHANGED store

Commit(t) == /\ t \in open
             /\ written[t] \cap missed[t] = {}
             /\ store' = [k \in Key |-> IF k \in written[t] THEN snapshot[t][k] ELSE store[k]]
             /\ Forget(t)
             /\ missed' = [o \in TxId |->
                             CASE o = t -> {}
                               [] o \in open' -> missed[o] \cup written[t]
                               [] OTHER -> {}]

Next == \E t \in TxId :
          \/ Begin(t) \/ Commit(t) \/ Rollback(t)
          \/ \E k \in Key : \/ Remove(t, k)
                            \/ \E v \in Val : Add(t, k, v) \/ Update(t, k, v)

Spec == Init /\ [][Next]_vars

Idle == \A t \in TxId \ open : /\ snapshot[t] = None
                               /\ written[t] = {} /\ missed[t] = {}
Perms == Permutations(TxId)
===============================================================================
