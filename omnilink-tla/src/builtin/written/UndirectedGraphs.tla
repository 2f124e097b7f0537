--------------------------- MODULE UndirectedGraphs ---------------------------
\* Undirected graphs: records of a set of nodes and a set of sets of one or two of them.
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE _GraphSearch

LOCAL Pairs(G) == {<<a, b>> \in G.node \X G.node : {a, b} \in G.edge}

IsUndirectedGraph(G) ==
    /\ G = [node |-> G.node, edge |-> G.edge]
    /\ \A edge \in G.edge : \E a, b \in G.node : edge = {a, b}

IsLoopFreeUndirectedGraph(G) ==
    /\ G = [node |-> G.node, edge |-> G.edge]
    /\ \A edge \in G.edge : \E a, b \in G.node : a # b /\ edge = {a, b}

UndirectedSubgraph(G) == {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}

Path(G) ==
    {path \in Seq(G.node) :
        path # <<>> /\ \A at \in 1..(Len(path) - 1) : {path[at], path[at + 1]} \in G.edge}

SimplePath(G) == SimplePaths(G.node, Pairs(G))

ConnectedComponents(G) ==
    LET pairs == Pairs(G) IN {ReachedFrom(node, G.node, pairs) : node \in G.node}

AreConnectedIn(m, n, G) == \E component \in ConnectedComponents(G) : m \in component /\ n \in component

IsStronglyConnected(G) == Cardinality(ConnectedComponents(G)) = 1

UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{a, b} : a, b \in S}]
===============================================================================
