-------------------------------- MODULE Keyed --------------------------------
(* A constant that nobody gives is the domain of functions: where they are looked at one argument at a time, it does not matter
   what else it has. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANT Keys
VARIABLES store, log, meta

vars == <<store, log, meta>>

Init ==
    /\ store = [k \in Keys |-> 0]
    /\ log = <<>>
    /\ meta \in [Keys -> [version: {0}, seen: [Keys -> {FALSE}]]]

At(f, k) == f[k]
Set(f, k, v) == [f EXCEPT ![k] = v]
Get(k, v) == At(store, k) = v /\ UNCHANGED vars
Put(k, v) ==
    /\ k \in Keys
    /\ store' = Set(store, k, v)
    /\ meta' = [meta EXCEPT ![k].version = @ + 1, ![k].seen[k] = TRUE]
    /\ log' = Append(log, k)
\* The same, written otherwise.
Put2(k, v) ==
    /\ LET old == store IN store' = [j \in DOMAIN old |-> IF j = k THEN v ELSE old[j]]
    /\ meta' = IF v = 0 THEN meta ELSE [meta EXCEPT ![k] = [@ EXCEPT !.version = meta[k].version + 1]]
    /\ UNCHANGED log
Put3(k, v) == store' = (k :> v) @@ store /\ UNCHANGED <<meta, log>>
Version(k, v) == meta[k].version = v /\ (v > 0 <=> meta[k].seen[k]) /\ UNCHANGED vars
Fixed(v) == store[9] = v /\ UNCHANGED vars
Next ==
    \/ \E k \in Keys, v \in Nat : Get(k, v) \/ Put(k, v) \/ Put2(k, v) \/ Put3(k, v) \/ Version(k, v)
    \/ \E v \in Nat : Fixed(v)
    \/ (\A k \in Keys : store[k] > 5) /\ UNCHANGED vars

\* Where the constant or a function over it is looked at as a whole.
All(k) == (\A j \in Keys : store[j] > 0) /\ UNCHANGED vars
Some(k) == (\E j \in Keys : store[j] > 0) /\ UNCHANGED vars
Domain(k) == (DOMAIN store) = {k} /\ UNCHANGED vars
Inside(k) == Cardinality({j \in DOMAIN store : store[j] = 0}) = 0 /\ UNCHANGED vars
Size(k) == Cardinality(Keys) = 2 /\ UNCHANGED vars
Whole(k) == store = [j \in {k} |-> 1] /\ UNCHANGED vars
Passed(k) == ToString(store) = "(7 :> 0)" /\ UNCHANGED vars
Filled(k) == store' = store @@ (8 :> 1) /\ UNCHANGED <<log, meta>>
Able(k) == ENABLED (store[k] = 1 /\ log' = log) /\ UNCHANGED vars
Another(k) == (\E j \in Keys : j # k /\ store' = [store EXCEPT ![j] = 1]) /\ UNCHANGED <<log, meta>>
Logged(k) == log' = Append(log, store) /\ UNCHANGED <<store, meta>>
Compared(k) == log # <<>> /\ Head(log) = [j \in {1, 7} |-> 0] /\ UNCHANGED vars
Chosen(k) == (CHOOSE j \in Keys : TRUE) = k /\ UNCHANGED vars
Twice(k) == store' = store /\ store' = [store EXCEPT ![k] = @ + 1] /\ UNCHANGED <<log, meta>>
Wholes == \E k \in Keys :
    \/ All(k) \/ Some(k) \/ Domain(k) \/ Inside(k) \/ Size(k) \/ Whole(k) \/ Passed(k) \/ Filled(k) \/ Able(k) \/ Another(k)
    \/ Chosen(k) \/ Twice(k) \/ \E v \in Nat : Get(k, v) \/ Put(k, v)

\* What is looked at as a whole on the way to an action.
Ready == (\A j \in Keys : store[j] = 1) \/ log # <<>>
Ways == Ready /\ \E k \in Keys, v \in Nat : Get(k, v)
Either == \/ (Cardinality(Keys) > 1 \/ log # <<>>) /\ \E k \in Keys, v \in Nat : Get(k, v)
\* What is passed is compared with what was recorded.
Told(f) == UNCHANGED vars
Shown == (\E k \in Keys, v \in Nat : Get(k, v)) \/ Told(store)
\* A function over it is kept in another variable.
Kept == \E k \in Keys : Logged(k) \/ Compared(k)
==============================================================================
