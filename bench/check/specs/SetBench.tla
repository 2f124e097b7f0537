------------------------------ MODULE SetBench ------------------------------
(***************************************************************************)
(* A dictionary with range queries, as the histories of the benchmark use  *)
(* it. A result of 0 means that there was no value.                        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

VARIABLE kv  \* A function from the keys that are present to their values.

NoValue == 0

Old(key) == IF key \in DOMAIN kv THEN kv[key] ELSE NoValue

Put(key, value) == [k \in DOMAIN kv \cup {key} |-> IF k = key THEN value ELSE kv[k]]

Init == kv = [k \in {} |-> NoValue]

KVInsert(key, value, result) ==
    /\ result = Old(key)
    /\ kv' = Put(key, value)

KVInsertIfAbsent(key, value, result) ==
    /\ result = Old(key)
    /\ IF result = NoValue THEN kv' = Put(key, value) ELSE UNCHANGED kv

KVErase(key, result) ==
    /\ result = Old(key)
    /\ IF result = NoValue THEN UNCHANGED kv ELSE kv' = [k \in DOMAIN kv \ {key} |-> kv[k]]

KVContains(key, result) ==
    /\ result = (key \in DOMAIN kv)
    /\ UNCHANGED kv

KVRangeQuery(lo, hi, count) ==
    /\ count = Cardinality((lo..hi) \cap DOMAIN kv)
    /\ UNCHANGED kv

Next ==
    \/ \E key, value, result \in Nat : KVInsert(key, value, result)
    \/ \E key, value, result \in Nat : KVInsertIfAbsent(key, value, result)
    \/ \E key, result \in Nat : KVErase(key, result)
    \/ \E key \in Nat, result \in BOOLEAN : KVContains(key, result)
    \/ \E lo, hi, count \in Nat : KVRangeQuery(lo, hi, count)
=============================================================================
