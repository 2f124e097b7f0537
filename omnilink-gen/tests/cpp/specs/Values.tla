------------------------------- MODULE Values -------------------------------
\* Parameters of every type.
EXTENDS Integers, Sequences

CONSTANT Anything

VARIABLES x

Colors == {"red", "green"}
Points == [x : Int, y : 0..9]
Messages == [to : Colors, body : [tag : STRING, where : Points], seen : SUBSET Points]

Simple(b, i, n, s, c) == x' = <<b, i, n, s, c>>
Nested(seqs, sets, pair, msg, fun, any, anys) == x' = <<seqs, sets, pair, msg, fun, any, anys>>
Same(point, other) == x' = <<point, other>>

Next ==
    \/ \E b \in BOOLEAN, i \in Int, n \in Nat, s \in STRING, c \in Colors : Simple(b, i, n, s, c)
    \/ \E seqs \in Seq(Seq(Nat)), sets \in SUBSET SUBSET Colors, pair \in Nat \X BOOLEAN, msg \in Messages,
         fun \in [Colors -> Points], any \in Anything, anys \in SUBSET Anything :
         Nested(seqs, sets, pair, msg, fun, any, anys)
    \/ \E point \in Points, other \in Seq(Points) : Same(point, other)
=============================================================================
