------------------------------ MODULE KvBench ------------------------------
(***************************************************************************)
(* A store of strings by key, as the histories of the benchmark use it.    *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLE kv  \* The string of each key.

Keys == 1..100

Init == kv = [key \in Keys |-> ""]

KVGet(key, text) ==
    /\ text = kv[key]
    /\ UNCHANGED kv

KVPut(key, text) == kv' = [kv EXCEPT ![key] = text]

KVAppend(key, text) == kv' = [kv EXCEPT ![key] = @ \o text]

Next ==
    \E key \in Keys, text \in STRING :
        \/ KVGet(key, text)
        \/ KVPut(key, text)
        \/ KVAppend(key, text)
=============================================================================
