------------------------------- MODULE Apalache -------------------------------
\* What Apalache's annotations mean to those who evaluate: the annotated expression. Gen is native: it cannot be evaluated.
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

x := e == x = e

Skolem(formula) == formula
Expand(set) == set
ConstCardinality(comparison) == comparison

Guess(set) == CHOOSE element \in set : TRUE

MkSeq(length, Element(_)) == [index \in 1..length |-> Element(index)]
FunAsSeq(function, length, capacity) == [index \in 1..length |-> function[index]]
\* The pairs of a set as a function: of several values for one key, some.
SetAsFun(pairs) ==
    [key \in {pair[1] : pair \in pairs} |-> (CHOOSE pair \in pairs : pair[1] = key)[2]]

RECURSIVE Repeat(_, _, _)
Repeat(Step(_, _), times, start) ==
    IF times <= 0 THEN start ELSE Step(Repeat(Step, times - 1, start), times)

RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(Step(_, _), start, set) ==
    IF set = {} THEN start
    ELSE LET element == CHOOSE element \in set : TRUE
         IN ApaFoldSet(Step, Step(start, element), set \ {element})

RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(Step(_, _), start, sequence) ==
    IF sequence = <<>> THEN start
    ELSE ApaFoldSeqLeft(Step, Step(start, Head(sequence)), Tail(sequence))
===============================================================================
