------------------------------ MODULE LruCache ------------------------------
(* A map with room for Room entries and an order of use, newest first.       *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Keys, Values, Room
VARIABLES map, order
Init == map = << >> /\ order = << >>   \* the empty function is the empty sequence
Without(s, k) == SelectSeq(s, LAMBDA x : x # k)
Touch(s, k) == <<k>> \o Without(s, k)
Remove(f, k) == [x \in DOMAIN f \ {k} |-> f[x]]
Get(k, v) == /\ k \in DOMAIN map
             /\ map[k] = v
             /\ order' = Touch(order, k)
             /\ UNCHANGED map
Miss(k) == k \notin DOMAIN map /\ UNCHANGED <<map, order>>
Put(k, v) ==
  IF k \in DOMAIN map
  THEN map' = [map EXCEPT ![k] = v] /\ order' = Touch(order, k)
  ELSE LET full == Len(order) = Room
           victim == order[Len(order)]
           kept == IF full THEN Remove(map, victim) ELSE map
       IN  /\ map' = k :> v @@ kept
           /\ order' = Touch(IF full THEN SubSeq(order, 1, Room - 1) ELSE order, k)
Evict == /\ order # <<>>
         /\ map' = Remove(map, order[Len(order)])
         /\ order' = SubSeq(order, 1, Len(order) - 1)
Next == \/ \E k \in Keys : Miss(k) \/ \E v \in Values : Get(k, v) \/ Put(k, v)
        \/ Evict
Matches == /\ DOMAIN map = {order[i] : i \in 1..Len(order)}
           /\ Cardinality(DOMAIN map) = Len(order)
           /\ Len(order) <= Room
=============================================================================
