------------------------------- MODULE Map -------------------------------
EXTENDS Naturals, TLC

VARIABLE map

Init == map = <<>>

Put(key, value) == map' = (key :> value) @@ map

Remove(key) == map' = [k \in DOMAIN map \ {key} |-> map[k]]

Get(key, value) ==
    /\ key \in DOMAIN map
    /\ map[key] = value
    /\ UNCHANGED map

GetNone(key) ==
    /\ key \notin DOMAIN map
    /\ UNCHANGED map

Next ==
    \E key \in Nat :
        \/ \E value \in Nat : Put(key, value)
        \/ Remove(key)
        \/ \E value \in Nat : Get(key, value)
        \/ GetNone(key)
=============================================================================
