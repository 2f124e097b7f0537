------------------------------ MODULE LevelBound ------------------------------
(* The depth of the search as a bound, and a register that counts.               *)
EXTENDS Naturals, TLC
VARIABLES n, m
ASSUME TLCSet(7, 0)
Init == n = 0 /\ m = 0
Next == \/ n' = n + 1 /\ UNCHANGED m
        \/ m' = m + 2 /\ UNCHANGED n
        \/ n > 0 /\ n' = n - 1 /\ m' = m
Near == TLCGet("level") < 6
Counted == TLCSet(7, TLCGet(7) + 1)
Inv == n + m <= 2 * TLCGet("level")
===============================================================================
