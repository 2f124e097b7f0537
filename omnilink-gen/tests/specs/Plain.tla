------------------------------- MODULE Plain -------------------------------
\* Actions without parameters.
EXTENDS Naturals
VARIABLE hour
Init == hour = 1
Tick == hour' = (hour % 12) + 1
Strike == UNCHANGED hour
Next == Tick \/ Strike
=============================================================================
