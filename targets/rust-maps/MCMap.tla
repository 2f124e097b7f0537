------------------------------- MODULE MCMap -------------------------------
(***************************************************************************)
(* Map with two keys, two values and two calls of Len and Clear, so that   *)
(* all states can be explored.                                             *)
(***************************************************************************)
EXTENDS Map

Keys == 1..2
Values == 1..2
Calls == 1..2

MCNext ==
    \/ \E key \in Keys, value \in Values :
           Put(key, value) \/ Insert(key, value) \/ Get(key, value) \/ Remove(key, value)
    \/ \E key \in Keys, old \in Values, new \in Values : Replace(key, old, new)
    \/ \E key \in Keys : Exists(key) \/ Missing(key)
    \/ \E call \in Calls, len \in 0..2 : Len_Step(call, len) \/ Len_Done(call, len)
    \/ \E call \in Calls : Clear_Step(call) \/ Clear_Done(call)

TypeOK ==
    /\ DOMAIN map \subseteq Keys
    /\ \A key \in DOMAIN map : map[key] \in Values
    /\ DOMAIN counts \subseteq Calls
    /\ DOMAIN clears \subseteq Calls

\* What is there now was there for some of the time, and what was there all the time is there now.
Bounds ==
    \A call \in DOMAIN counts : counts[call].always \subseteq DOMAIN map /\ DOMAIN map \subseteq counts[call].ever

\* Only what is there can be left to remove.
Remaining == \A call \in DOMAIN clears : clears[call] \subseteq DOMAIN map
=============================================================================
