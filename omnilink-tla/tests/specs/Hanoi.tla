-------------------------------- MODULE Hanoi --------------------------------
EXTENDS Naturals, Sequences
CONSTANT Discs
VARIABLE peg
Pegs == 1..3
Tower == [i \in 1..Discs |-> i]
Init == peg = <<Tower, <<>>, <<>>>>
CanLand(d, p) == IF peg[p] = <<>> THEN TRUE ELSE d < Head(peg[p])
Move(from, to) ==
  /\ from # to
  /\ peg[from] # <<>>
  /\ CanLand(Head(peg[from]), to)
  /\ peg' = [peg EXCEPT ![from] = Tail(@), ![to] = <<Head(peg[from])>> \o @]
Next == \E from \in Pegs, to \in Pegs : Move(from, to)
Sorted == \A p \in Pegs : \A i, j \in DOMAIN peg[p] : i < j => peg[p][i] < peg[p][j]
Unsolved == peg[3] # Tower
===============================================================================
