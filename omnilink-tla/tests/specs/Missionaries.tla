----------------------------- MODULE Missionaries -----------------------------
EXTENDS Integers, FiniteSets
CONSTANTS M, C, Seats
VARIABLES boat, left
Sides == {"left", "right"}
Init == boat = "left" /\ left = [m |-> M, c |-> C]
SafeBank(m, c) == m = 0 \/ m >= c
Cross(m, c) ==
  LET sign == IF boat = "left" THEN -1 ELSE 1
      after == [m |-> left.m + sign * m, c |-> left.c + sign * c]
  IN  /\ m + c \in 1..Seats
      /\ after.m \in 0..M /\ after.c \in 0..C
      /\ SafeBank(after.m, after.c) /\ SafeBank(M - after.m, C - after.c)
      /\ left' = after
      /\ boat' = CHOOSE s \in Sides : s # boat
Next == \E m \in 0..Seats, c \in 0..Seats : Cross(m, c)
NotAcross == left # [c |-> 0, m |-> 0]
===============================================================================
