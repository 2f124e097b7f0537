------------------------------- MODULE ReadOnly -------------------------------
(* Actions that change nothing, plainly or not, and actions that only look so.  *)
EXTENDS Integers, Sequences, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x \in 0..2 /\ y = 0

Plain == UNCHANGED vars
Apart == x' = x /\ UNCHANGED y
Lookup(k, found) == found = (k = x) /\ UNCHANGED vars
Through == Plain /\ x > 0
Write(v) == x' = v /\ UNCHANGED y
IfFlag(flag, v) == IF flag THEN UNCHANGED vars ELSE x' = v /\ UNCHANGED y
GuardedFlag(flag, v) == (flag /\ UNCHANGED vars) \/ (~flag /\ x' = v /\ UNCHANGED y)
CaseOf(kind, v) == CASE kind = "get" -> UNCHANGED vars
                     [] kind = "put" -> x' = v /\ UNCHANGED y
                     [] OTHER -> x = v /\ UNCHANGED vars
\* A compare-and-swap writes only if it succeeds.
Swap(old, new, swapped) == /\ swapped = (x = old)
                           /\ x' = IF swapped THEN new ELSE x
                           /\ UNCHANGED y
Branched(old, new, swapped) == IF swapped THEN x = old /\ x' = new /\ UNCHANGED y ELSE x # old /\ UNCHANGED vars
StateDecides(v) == IF x = 1 THEN UNCHANGED vars ELSE x' = v /\ UNCHANGED y
Local(flag) == LET go == ~flag IN IF go THEN x' = 2 /\ UNCHANGED y ELSE UNCHANGED vars
Passed(flag) == IfFlag(flag, 1)
Anything(S) == x' \in S /\ UNCHANGED y
Quantified(flag) == \E v \in 0..2 : IF flag THEN UNCHANGED vars ELSE x' = v /\ UNCHANGED y
RECURSIVE Countdown(_)
Countdown(n) == IF n = 0 THEN UNCHANGED vars ELSE Countdown(n - 1)
Swapped == x' = y /\ y' = x
Chance(v) == IF RandomElement({1, 2, 3}) = 3 THEN UNCHANGED vars ELSE x' = v /\ UNCHANGED y
Level(v) == IF TLCGet("level") = 0 THEN UNCHANGED vars ELSE x' = v /\ UNCHANGED y
IsOne == x = 1
Compared(found) == IsOne = found /\ UNCHANGED vars
NextX == x'
Named(v) == NextX = v /\ UNCHANGED y
LetNamed(v) == LET next == x' IN next = v /\ UNCHANGED y
\* What is passed is to be assigned.
Equals(p, v) == p = v /\ UNCHANGED y
Tree(p) == Equals(p, 1) \/ Equals(p, 2)
Set(p, v) == p' = v /\ UNCHANGED y
Applied(A(_), v) == A(v)
Operator(v) == Applied(Write, v)

Next == \/ Plain \/ Apart \/ Through \/ Swapped
        \/ \E k \in 0..2, found \in BOOLEAN : Lookup(k, found)
        \/ \E v \in 0..2 : Write(v) \/ StateDecides(v) \/ Chance(v) \/ Level(v) \/ Operator(v) \/ Named(v) \/ LetNamed(v)
        \/ \E found \in BOOLEAN : Compared(found)
        \/ \E flag \in BOOLEAN : \/ Local(flag) \/ Passed(flag) \/ Quantified(flag)
                                 \/ \E v \in 0..2 : IfFlag(flag, v) \/ GuardedFlag(flag, v)
        \/ \E kind \in {"get", "put", "test"}, v \in 0..2 : CaseOf(kind, v)
        \/ \E old, new \in 0..2, swapped \in BOOLEAN : Swap(old, new, swapped) \/ Branched(old, new, swapped)
        \/ \E S \in SUBSET (0..2) : Anything(S)
        \/ \E n \in 0..3 : Countdown(n)
        \/ Tree(x') \/ (LET next == x' IN \E v \in 0..2 : Equals(next, v))
        \/ \E v \in 0..2 : Set(x, v)
================================================================================
