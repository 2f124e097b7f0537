------------------------------- MODULE MCMap -------------------------------
(***************************************************************************)
(* Map with two keys and two values, so that all states can be explored.   *)
(***************************************************************************)
EXTENDS Map

Keys == 1..2
Values == 1..2

MCNext ==
    \/ \E key \in Keys, value \in Values : Insert(key, value) \/ Get(key, value)
    \/ \E key \in Keys, old \in Values, new \in Values : Replace(key, old, new)
    \/ \E key \in Keys : InsertExists(key) \/ Missing(key) \/ Erase(key) \/ EraseMissing(key)

TypeOK == DOMAIN map \subseteq Keys /\ \A key \in DOMAIN map : map[key] \in Values
=============================================================================
