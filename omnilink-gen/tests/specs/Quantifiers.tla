---------------------------- MODULE Quantifiers ----------------------------
\* Names that are bound one inside of another, several at once, and as parts of tuples.
EXTENDS Integers, Sequences
VARIABLES x, log

Init == x = 0 /\ log = <<>>

Nested(from, to) == x = from /\ x' = to /\ UNCHANGED log
Several(a, b, flag) == x' = (IF flag THEN a ELSE b) /\ UNCHANGED log
Taken(key, value) == log' = Append(log, <<key, value>>) /\ UNCHANGED x
Dependent(at, limit) == at <= Len(log) /\ x' = limit /\ UNCHANGED log

Next ==
    \/ \E from \in 0..3 : \E to \in from..9 : Nested(from, to)
    \/ \E a, b \in -5..5, flag \in BOOLEAN : Several(a, b, flag)
    \/ \E <<key, value>> \in {"k1", "k2"} \X Nat : Taken(key, value)
    \/ \E at \in DOMAIN log, limit \in 1..Len(log) : Dependent(at, limit)
=============================================================================
