-------------------------------- MODULE Queens --------------------------------
(* Solutions computed as a constant, and again by a search.                     *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANT N
Attack(q, i, j) == \/ q[i] = q[j]
                   \/ q[i] - q[j] = i - j
                   \/ q[i] - q[j] = j - i
Solutions == {q \in [1..N -> 1..N] : \A i \in 1..N : \A j \in 1..(i-1) : ~Attack(q, i, j)}
ASSUME N \in 4..6 => Cardinality(Solutions) = CASE N = 4 -> 2 [] N = 5 -> 10 [] N = 6 -> 4

VARIABLES board
Init == board = <<>>
Place == /\ Len(board) < N
         /\ \E col \in 1..N :
              LET b == Append(board, col)
              IN  /\ \A i \in 1..Len(board) : ~Attack(b, i, Len(b))
                  /\ board' = b
Finished == Len(board) = N /\ UNCHANGED board
Next == Place \/ Finished
FoundAreSolutions == Len(board) = N => board \in Solutions
===============================================================================
