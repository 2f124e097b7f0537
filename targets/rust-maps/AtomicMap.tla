----------------------------- MODULE AtomicMap -----------------------------
(***************************************************************************)
(* A model that is stronger than Map: `Len` and `Clear` see, and change,   *)
(* the whole map at one moment, as they do in a map behind one lock.       *)
(***************************************************************************)
EXTENDS Map

Len(call, len) ==
    /\ len = Cardinality(DOMAIN map)
    /\ UNCHANGED vars

Clear(call) ==
    /\ map' = Empty
    /\ UNCHANGED <<counts, clears>>

AtomicNext ==
    \/ \E key \in Nat, value \in Nat : Put(key, value)
    \/ Point
    \/ \E call \in Nat, len \in Nat : Len(call, len)
    \/ \E call \in Nat : Clear(call)
=============================================================================
