----------------------------- MODULE TuplePatterns -----------------------------
EXTENDS Integers, FiniteSets
VARIABLE edges
Nodes == 1..3
Pairs == Nodes \X Nodes
Compose(R, S) == {<<a, d>> \in Pairs : \E <<p, b>> \in R, <<c, q>> \in S : p = a /\ q = d /\ b = c}
Inverse(R) == {<<b, a>> : <<a, b>> \in R}
Loops(R) == {a \in Nodes : \E <<p, q>> \in R : p = a /\ q = a}
Labelled == [<<a, b>> \in Pairs, c \in {0, 1} |-> a * 100 + b * 10 + c]
ASSUME Labelled[<<2, 3>>, 1] = 231
ASSUME {x + y + z : <<x, y>> \in {<<1, 2>>, <<3, 4>>}, z \in {10, 20}} = {13, 17, 23, 27}
ASSUME \A <<x, y, z>> \in {1} \X {2} \X {3} : x + y = z
ASSUME (CHOOSE <<x, y>> \in Pairs : x + y = 6) = <<3, 3>>
ASSUME \E x, y \in Nodes, <<p, q>> \in Pairs : x = p /\ y = q /\ x + y = 6
Init == edges \in {{<<1, 2>>}, {<<3, 1>>, <<2, 2>>}}
Next == \/ \E <<a, b>> \in Pairs \ edges : a < b /\ edges' = edges \cup {<<a, b>>}
        \/ edges' = Compose(edges, edges)
        \/ edges' = Inverse(edges)
        \/ \E <<a, b>> \in edges : edges' = edges \ {<<a, b>>, <<b, a>>}
Inv == edges \subseteq Pairs /\ Cardinality(Loops(edges)) <= 3 /\ Inverse(Inverse(edges)) = edges
=================================================================================
