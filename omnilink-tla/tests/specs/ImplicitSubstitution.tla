-------------------------- MODULE ImplicitSubstitution --------------------------
(* The instantiated module's constant and variable are definitions here.          *)
EXTENDS Integers
VARIABLES hi, lo
Bound == 9
value == hi * 3 + lo
Odometer == INSTANCE Counter
Init == hi = 0 /\ lo = 0
Tick == /\ value < Bound - 1
        /\ lo' = (lo + 1) % 3
        /\ hi' = IF lo = 2 THEN hi + 1 ELSE hi
        /\ Odometer!Up
Zero == Odometer!Reset /\ hi' = 0 /\ lo' = 0
ZeroLate == hi' = 0 /\ lo' = 0 /\ Odometer!Reset
Next == Tick \/ ZeroLate
TooEarly == Tick \/ Zero
Inv == Odometer!InBounds
=================================================================================
