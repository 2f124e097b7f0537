----------------------------- MODULE StoreEvents ----------------------------
(* What an event of Store means, written out for TLC: the path of Next to its action. *)
EXTENDS Store, Recorded

CONSTANTS k1, k2

state == store

Event(e, name) ==
    CASE name = "Put" ->
             \E key \in Keys, value \in 1..2, old \in 0..2 :
                 Is(e, "key", key) /\ Is(e, "value", value) /\ Is(e, "old", old) /\ Put(key, value, old)
      [] name = "Get" ->
             \E key \in Keys, result \in 0..2 : Is(e, "key", key) /\ Is(e, "result", result) /\ Get(key, result)
      [] name = "Delete" ->
             \E key \in Keys, found \in BOOLEAN : Is(e, "key", key) /\ Is(e, "found", found) /\ Delete(key, found)
      [] name = "Count" -> \E result \in 0..2 : Is(e, "result", result) /\ Count(result)

Inner(e, name) == FALSE
=============================================================================
