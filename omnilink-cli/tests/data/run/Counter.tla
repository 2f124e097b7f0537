------------------------------ MODULE Counter ------------------------------
EXTENDS Naturals

VARIABLE value

Init == value = 0

Increment(result) ==
    /\ value' = value + 1
    /\ result = value'

\* No program of the tests does this.
Reset == value' = 0

Next ==
    \/ \E result \in Nat : Increment(result)
    \/ Reset
=============================================================================
