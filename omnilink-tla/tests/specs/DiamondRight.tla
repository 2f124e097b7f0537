---- MODULE DiamondRight ----
EXTENDS DiamondBase, Sequences
VARIABLE right
LOCAL Secret == 3
RightInit == right = <<Secret>>
RightStep == Len(right) < Secret /\ right' = Append(right, base) /\ UNCHANGED base
====
