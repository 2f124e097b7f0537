------------------------------ MODULE HigherOrder ------------------------------
EXTENDS Integers, Sequences, FiniteSets
VARIABLE s
Map(F(_), q) == [i \in DOMAIN q |-> F(q[i])]
Filter(q, Test(_)) == SelectSeq(q, Test)
RECURSIVE FoldSet(_, _, _)
FoldSet(Op(_, _), base, S) ==
  IF S = {} THEN base
  ELSE LET x == CHOOSE x \in S : \A y \in S : x <= y IN FoldSet(Op, Op(base, x), S \ {x})
Compose(F(_), G(_), x) == F(G(x))
Twice(F(_), x) == Compose(F, F, x)
ApplyAll(Op(_, _), a, b) == Op(a, b)
Inc(x) == x + 1
Square(x) == x ^ 2
a \oplus b == (a + b) % 10
a ** b == a * b
ASSUME /\ Map(Square, <<1, 2, 3>>) = <<1, 4, 9>>
       /\ FoldSet(+, 0, {1, 2, 3}) = 6
       /\ FoldSet(LAMBDA x, y : x \oplus y, 0, {7, 8}) = 5
       /\ FoldSet(\oplus, 0, {7, 8}) = 5
       /\ FoldSet(LAMBDA x, y : x ** y, 1, 1..5) = 120
       /\ Twice(LAMBDA x : x * x, 3) = 81
       /\ Compose(Inc, Square, 3) = 10
       /\ ApplyAll(\cup, {1}, {2}) = {1, 2}
       /\ ApplyAll(\o, <<1>>, <<2>>) = <<1, 2>>
       /\ ApplyAll(-, 5, 7) = -2
       /\ ApplyAll(=>, FALSE, FALSE)
Init == s = <<0, 1, 2>>
Next == \/ s' = Map(LAMBDA x : (x + 1) % 4, s)
        \/ s' = Filter(s, LAMBDA x : x % 2 = 0) \o Filter(s, LAMBDA x : x % 2 = 1)
        \/ LET Swap(i) == CASE i = 1 -> 2 [] i = 2 -> 1 [] OTHER -> i
           IN  s' = [i \in DOMAIN s |-> s[Swap(i)]]
Inv == Len(s) = 3 /\ Cardinality({s[i] : i \in DOMAIN s}) = 3
=================================================================================
