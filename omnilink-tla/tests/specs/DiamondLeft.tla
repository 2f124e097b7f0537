---- MODULE DiamondLeft ----
EXTENDS DiamondBase, FiniteSets
VARIABLE left
LOCAL Secret == 2
LeftInit == left = {} /\ base = Secret - 1
LeftStep == left' = left \cup {base} /\ base' = Inc(base)
====
