-------------------------- MODULE RemoveThenInsert --------------------------
(***************************************************************************)
(* What SkipMap does: `insert` removes the entry that it finds, as often   *)
(* as it finds one, and then inserts its own. Between the two the key is   *)
(* not there. All other calls are as in Map.                               *)
(***************************************************************************)
EXTENDS Map

Put_Step(key, value) ==
    /\ key \in DOMAIN map
    /\ map' = Without(key)
    /\ Watched

Put_Done(key, value) ==
    /\ key \notin DOMAIN map
    /\ map' = (key :> value) @@ map
    /\ Watched

RemovingNext ==
    \/ \E key \in Nat, value \in Nat : Put_Step(key, value) \/ Put_Done(key, value)
    \/ Point
    \/ \E call \in Nat : Clear_Step(call) \/ Clear_Done(call)
=============================================================================
