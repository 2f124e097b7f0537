-------------------------------- MODULE Map --------------------------------
(***************************************************************************)
(* A map from keys to values that many threads use. A call that concerns   *)
(* one key is atomic: it does what it does at one moment between its       *)
(* beginning and its end.                                                  *)
(*                                                                         *)
(* `Len` and `Clear` visit one key after the other, and other calls may    *)
(* come in between. What they promise then:                                *)
(*                                                                         *)
(*  - `Len` counts the keys that were there all the time. A key that was   *)
(*    there for some of the time may be counted, or not.                   *)
(*  - When `Clear` ends, every entry that was there when it began has been *)
(*    removed, by it or by others. Later entries may be removed, or not.   *)
(*                                                                         *)
(* AtomicMap.tla asks for more.                                            *)
(***************************************************************************)
EXTENDS FiniteSets, Naturals, TLC

VARIABLES
    map,     \* A function from the keys that are there to their values.
    counts,  \* Of every call of Len that is going on: the keys that were there always, and ever, since it began.
    clears   \* Of every call of Clear that is going on: the keys whose entries it has yet to remove.

vars == <<map, counts, clears>>

Empty == [key \in {} |-> 0]

Without(key) == [other \in DOMAIN map \ {key} |-> map[other]]

Init ==
    /\ map = Empty
    /\ counts = Empty
    /\ clears = Empty

\* The calls that are going on see a change of the map.
Watched ==
    /\ counts' = [call \in DOMAIN counts |->
                     [always |-> counts[call].always \cap DOMAIN map', ever |-> counts[call].ever \cup DOMAIN map']]
    /\ clears' = [call \in DOMAIN clears |-> clears[call] \cap DOMAIN map']

-----------------------------------------------------------------------------

\* The key has this value from now on. Whether it had another one is not told.
Put(key, value) ==
    /\ map' = (key :> value) @@ map
    /\ Watched

\* A new key.
Insert(key, value) ==
    /\ key \notin DOMAIN map
    /\ map' = (key :> value) @@ map
    /\ Watched

\* The value of a key is replaced, and the one that it had is told.
Replace(key, old, new) ==
    /\ key \in DOMAIN map
    /\ old = map[key]
    /\ map' = [map EXCEPT ![key] = new]
    /\ UNCHANGED <<counts, clears>>

Get(key, value) ==
    /\ key \in DOMAIN map
    /\ value = map[key]
    /\ UNCHANGED vars

\* The key is there, with whatever value.
Exists(key) ==
    /\ key \in DOMAIN map
    /\ UNCHANGED vars

\* A call did not find the key, and changed nothing.
Missing(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED vars

Remove(key, value) ==
    /\ key \in DOMAIN map
    /\ value = map[key]
    /\ map' = Without(key)
    /\ Watched

-----------------------------------------------------------------------------

ButFor(call, calls) == [other \in DOMAIN calls \ {call} |-> calls[other]]

\* The call begins. This matters only if something changes before it ends.
Len_Step(call, len) ==
    /\ call \notin DOMAIN counts
    /\ counts' = (call :> [always |-> DOMAIN map, ever |-> DOMAIN map]) @@ counts
    /\ UNCHANGED <<map, clears>>

Len_Done(call, len) ==
    /\ IF call \in DOMAIN counts
       THEN len \in Cardinality(counts[call].always)..Cardinality(counts[call].ever)
       ELSE len = Cardinality(DOMAIN map)
    /\ counts' = ButFor(call, counts)
    /\ UNCHANGED <<map, clears>>

\* The call begins, or removes an entry.
Clear_Step(call) ==
    \/ /\ call \notin DOMAIN clears
       /\ clears' = (call :> DOMAIN map) @@ clears
       /\ UNCHANGED <<map, counts>>
    \/ /\ call \in DOMAIN clears
       /\ \E key \in DOMAIN map : map' = Without(key)
       /\ Watched

Clear_Done(call) ==
    /\ call \in DOMAIN clears
    /\ clears[call] = {}
    /\ clears' = ButFor(call, clears)
    /\ UNCHANGED <<map, counts>>

-----------------------------------------------------------------------------

\* All calls that concern one key, but for Put.
Point ==
    \/ \E key \in Nat, value \in Nat : Insert(key, value)
    \/ \E key \in Nat, old \in Nat, new \in Nat : Replace(key, old, new)
    \/ \E key \in Nat, value \in Nat : Get(key, value)
    \/ \E key \in Nat : Exists(key)
    \/ \E key \in Nat : Missing(key)
    \/ \E key \in Nat, value \in Nat : Remove(key, value)

Next ==
    \/ \E key \in Nat, value \in Nat : Put(key, value)
    \/ Point
    \/ \E call \in Nat, len \in Nat : Len_Step(call, len) \/ Len_Done(call, len)
    \/ \E call \in Nat : Clear_Step(call) \/ Clear_Done(call)

Spec == Init /\ [][Next]_vars
=============================================================================
