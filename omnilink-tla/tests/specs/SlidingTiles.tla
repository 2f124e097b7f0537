----------------------------- MODULE SlidingTiles -----------------------------
EXTENDS Integers, FiniteSets
CONSTANTS W, H
Pos == (0..W-1) \X (0..H-1)
VARIABLE board
Start == [<<x, y>> \in Pos |-> x + y * W]
Hole(b) == CHOOSE p \in Pos : b[p] = 0
Neighbours(p) == LET xy(dx, dy) == <<p[1] + dx, p[2] + dy>>
                 IN  {xy(-1, 0), xy(1, 0), xy(0, -1), xy(0, 1)} \cap Pos
Init == board = Start
Next == LET hole == Hole(board)
        IN  \E p \in Neighbours(hole) :
              board' = [board EXCEPT ![p] = 0, ![hole] = board[p]]
AllThere == {board[p] : p \in Pos} = 0 .. W * H - 1
NeverSwapped == board # [Start EXCEPT ![<<1, 0>>] = 2, ![<<0, 1>>] = 1]
===============================================================================
