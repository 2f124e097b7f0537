---- MODULE AbstractCounter ----
\* Counts to 3: to be refined by Properties.
EXTENDS Naturals
VARIABLE count
Init == count = 0
Next == count < 3 /\ count' = count + 1
Spec == Init /\ [][Next]_count
====
