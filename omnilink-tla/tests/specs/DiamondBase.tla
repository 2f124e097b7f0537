---- MODULE DiamondBase ----
EXTENDS Naturals
CONSTANT Size
VARIABLE base
Index == 1..Size
Inc(n) == IF n = Size THEN 1 ELSE n + 1
LOCAL Secret == 1
ASSUME Size > 0
====
