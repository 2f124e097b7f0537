---- MODULE Modules ----
\* Modules that are written in TLA+, and what other modules re-export. (TLC needs the CommunityModules, and neither knows
\* Apalache's modules nor evaluates those of TLAPS's library.)
EXTENDS Integers, Sequences, FiniteSets, Graphs, DyadicRationals, Combinatorics, FiniteSetsExt, FiniteSetTheorems, Apalache
U == INSTANCE UndirectedGraphs
V == INSTANCE Variants
Q == INSTANCE Quorum

G == [node |-> 1..4, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>}]
Tree == [node |-> 1..3, edge |-> {<<2, 1>>, <<3, 1>>}]
ASSUME IsDirectedGraph(G) /\ ~ IsDirectedGraph([node |-> {1}, edge |-> {<<1, 2>>}])
ASSUME SimplePath(G) = {<<1>>, <<2>>, <<3>>, <<4>>, <<1, 2>>, <<2, 3>>, <<3, 1>>, <<1, 2, 3>>, <<2, 3, 1>>, <<3, 1, 2>>}
ASSUME <<1, 2, 3, 1, 2>> \in Path(G) /\ <<1, 3>> \notin Path(G) /\ <<>> \notin Path(G)
ASSUME ConnectionsIn(G) = [m, n \in G.node |-> m = n \/ (m # 4 /\ n # 4)]
ASSUME \A m, n \in G.node : AreConnectedIn(m, n, G) = ConnectionsIn(G)[m, n]
ASSUME ~ AreConnectedIn(1, 9, G)
ASSUME IsTreeWithRoot(Tree, 1) /\ ~ IsTreeWithRoot(Tree, 2)
ASSUME ~ IsStronglyConnected(G) /\ IsStronglyConnected([G EXCEPT !.node = 1..3])
ASSUME Transpose(Tree).edge = {<<1, 2>>, <<1, 3>>}
ASSUME Cardinality(DirectedSubgraph(Tree)) = 13
ASSUME IsUndirectedGraph([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 1>>}]) /\ ~ IsUndirectedGraph(Tree)

UG == [node |-> 1..4, edge |-> {{1, 2}, {2, 3}}]
ASSUME U!ConnectedComponents(UG) = {{4}, {1, 2, 3}}
ASSUME U!AreConnectedIn(1, 3, UG) /\ ~ U!AreConnectedIn(1, 4, UG)
ASSUME ~ U!IsStronglyConnected(UG) /\ U!IsLoopFreeUndirectedGraph(UG)
ASSUME Cardinality(U!SimplePath(UG)) = 10

ASSUME Add(Half(One), Half(Half(One))) = [num |-> 3, den |-> 4]
ASSUME Add(Half(One), Half(One)) = One /\ Add(Zero, One) = One
ASSUME PrettyPrint(Half(One)) = "1/2" /\ PrettyPrint(Half(Half(Zero))) = "0"
ASSUME IsDyadicRational(Half(One)) /\ ~ IsDyadicRational([num |-> 1, den |-> 3])

ASSUME factorial[5] = 120 /\ choose(5, 2) = 10
ASSUME Range(<<1, 2, 1>>) = {1, 2} /\ FoldFunction(LAMBDA x, y : x + y, 0, <<1, 2>>) = 3
ASSUME MapThenFoldSet(LAMBDA x, y : x + y, 0, LAMBDA x : x * 2, LAMBDA s : Max(s), {1, 2}) = 6
ASSUME Cardinality(FiniteSubsetsOf({1, 2})) = 4
ASSUME OpToRel(<, 1..2) = {<<1, 2>>}

ASSUME V!VariantGetOrElse("A", V!Variant("B", 1), 7) = 7
ASSUME V!VariantFilter("A", {V!Variant("A", 1), V!Variant("B", 2)}) = {1}
ASSUME Repeat(LAMBDA x, i : x + i, 3, 10) = 16
ASSUME ApaFoldSeqLeft(LAMBDA x, y : <<x, y>>, 0, <<1, 2>>) = <<<<0, 1>>, 2>>
ASSUME ApaFoldSet(LAMBDA x, y : x + y, 1, {1, 2}) = 4
ASSUME MkSeq(2, LAMBDA i : i * i) = <<1, 4>> /\ SetAsFun({<<1, 5>>, <<2, 6>>}) = <<5, 6>>
ASSUME Q!QuorumSystem({1}) = {{{1}}}
ASSUME LET Tried(x) == x := 1 IN Tried(1) /\ ~ Tried(2)
====
