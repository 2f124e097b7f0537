------------------------------- MODULE Types -------------------------------
\* A parameter of every type that bounds can tell.
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Nodes, Limit, Unknown
VARIABLE x

Colours == {"red", "green"}
Messages == [kind : {"get", "put"}, key : Nodes, size : 0..Limit]

Init == x = 0

Numbers(any, natural, small, shifted, open, most) == x' = small
Truth(flag, decided) == x' = IF flag THEN 1 ELSE 0
Texts(text, colour, node, either) == x' = 2
Many(sequence, set, sets, grid) == x' = 3
Shapes(pair, one, message, table, tables) == x' = 4
Unclear(unknown, chosen, mixed, state, none) == x' = 5
Narrowed(small, other, not_zero) == x' = 6

Next ==
    \/ \E any \in Int, natural \in Nat, small \in 1..Limit, shifted \in -Limit..(2 * 3 - 1), open \in 1..x, most \in {3, 1, 7} :
          Numbers(any, natural, small, shifted, open, most)
    \/ \E flag \in BOOLEAN : Truth(flag, flag \/ x = 0)
    \/ \E text \in STRING, colour \in Colours, node \in Nodes, either \in Colours \cup {"blue"} :
          Texts(text, colour, node, either)
    \/ \E sequence \in Seq(Colours), set \in SUBSET (1..3), sets \in SUBSET SUBSET Nodes, grid \in Seq(Seq(BOOLEAN)) :
          Many(sequence, set, sets, grid)
    \/ \E pair \in Nat \X Colours, one \in {<<"alone">>}, message \in Messages, table \in [Nodes -> 0..9],
          tables \in [Colours \X BOOLEAN -> SUBSET Messages] :
          Shapes(pair, one, message, table, tables)
    \/ \E unknown \in Unknown, mixed \in {1, TRUE}, none \in {} :
          Unclear(unknown, CHOOSE y : TRUE, mixed, x, none)
    \/ \E small \in {n \in 1..9 : n % 2 = 0}, other \in {n * n : n \in 1..3}, not_zero \in Nat \ {0} :
          Narrowed(small, other, not_zero)
=============================================================================
