---- MODULE ConfigOddities ----
(* Spellings that configuration files may have; two SPECIFICATION-less sections in any order. *)
EXTENDS Integers, TLC
CONSTANTS Low, High, Names, Pair, Flag, Nested
VARIABLE x
ASSUME /\ Low = 2 /\ Flag = TRUE
       /\ Nested = {{}, {1}, {1, 2}}
       /\ Pair \in Names
Init == x = Low
Next == x' = IF x = High THEN Low ELSE x + 1
First == x >= Low
Second == x =< High
Third == x # High + 1
====
