-------------------------------- MODULE Shelf --------------------------------
(***************************************************************************)
(* Things side by side: a line of which both ends are used, a function and *)
(* a set that are changed at points, and a record. Many calls do not mind  *)
(* each other; which do is not always easy to see.                         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

VARIABLES line, price, marks, box
vars == <<line, price, marks, box>>

Init ==
    /\ line = <<>>
    /\ price = [thing \in 1..2 |-> 0]
    /\ marks = {}
    /\ box = [lid |-> 0, count |-> 0]

PriceOf(thing) == IF thing \in DOMAIN price THEN price[thing] ELSE 0

With(function, at, value) == [function EXCEPT ![at] = value]

Front(sequence) == Head(sequence)

\* The line.
Join(x) == line' = Append(line, x) /\ UNCHANGED <<price, marks, box>>

Leave(x) ==
    IF line = <<>>
    THEN x = 0 /\ UNCHANGED vars
    ELSE /\ x = Front(line)
         /\ line' = Tail(line)
         /\ UNCHANGED <<price, marks, box>>

Turn == Len(line) > 1 /\ line' = Append(Tail(line), Head(line)) /\ UNCHANGED <<price, marks, box>>

LineIs(n) == Len(line) = n /\ UNCHANGED vars

First(x) == line # <<>> /\ line[1] = x /\ UNCHANGED vars

Rename(at, x) == at \in DOMAIN line /\ line' = With(line, at, x) /\ UNCHANGED <<price, marks, box>>

\* Prices.
Reprice(thing, old, new) ==
    /\ PriceOf(thing) = old
    /\ price' = With(price, thing, new)
    /\ UNCHANGED <<line, marks, box>>

Raise(thing) == price[thing] < 3 /\ price' = [price EXCEPT ![thing] = @ + 1] /\ UNCHANGED <<line, marks, box>>

Equalize(from, to) ==
    LET paid == price[from] IN
    /\ price' = [price EXCEPT ![to] = paid]
    /\ UNCHANGED <<line, marks, box>>

Dearest(n) == (\A thing \in DOMAIN price : price[thing] <= n) /\ UNCHANGED vars

\* Marks.
Mark(x, isNew) ==
    /\ isNew = (x \notin marks)
    /\ marks' = marks \cup {x}
    /\ UNCHANGED <<line, price, box>>

Erase(x) == x \in marks /\ marks' = marks \ {x} /\ UNCHANGED <<line, price, box>>

Marked(n) == Cardinality(marks) = n /\ UNCHANGED vars

\* The box, and things together.
Lift(by) == box.lid = by /\ box' = [box EXCEPT !.lid = 1 - by] /\ UNCHANGED <<line, price, marks>>

Pack == line # <<>> /\ box.lid = 1 /\ box' = [box EXCEPT !.count = @ + Head(line)] /\ line' = Tail(line)
        /\ UNCHANGED <<price, marks>>

Weighs(n) == box.count = n /\ UNCHANGED vars

Next ==
    \/ \E x \in 1..3 : Join(x)
    \/ \E x \in 0..3 : Leave(x)
    \/ Turn
    \/ \E n \in 0..4 : LineIs(n)
    \/ \E x \in 1..3 : First(x)
    \/ \E at \in 1..2, x \in 1..3 : Rename(at, x)
    \/ \E thing \in 1..2, old, new \in 0..3 : Reprice(thing, old, new)
    \/ \E thing \in 1..2 : Raise(thing)
    \/ \E from, to \in 1..2 : Equalize(from, to)
    \/ \E n \in 0..3 : Dearest(n)
    \/ \E x \in 1..3, isNew \in BOOLEAN : Mark(x, isNew)
    \/ \E x \in 1..3 : Erase(x)
    \/ \E n \in 0..3 : Marked(n)
    \/ \E by \in 0..1 : Lift(by)
    \/ Pack
    \/ \E n \in 0..6 : Weighs(n)
=============================================================================
