-------------------------------- MODULE Graphs --------------------------------
\* Directed graphs: records of a set of nodes and a set of pairs of them.
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE _GraphSearch

IsDirectedGraph(G) ==
    /\ G = [node |-> G.node, edge |-> G.edge]
    /\ G.edge \subseteq G.node \X G.node

DirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : H.edge \subseteq H.node \X H.node}

Transpose(G) == [node |-> G.node, edge |-> {<<edge[2], edge[1]>> : edge \in G.edge}]

IsUndirectedGraph(G) ==
    /\ IsDirectedGraph(G)
    /\ \A edge \in G.edge : <<edge[2], edge[1]>> \in G.edge

UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}

Path(G) ==
    {path \in Seq(G.node) :
        path # <<>> /\ \A at \in 1..(Len(path) - 1) : <<path[at], path[at + 1]>> \in G.edge}

SimplePath(G) == SimplePaths(G.node, G.edge)

AreConnectedIn(m, n, G) == m \in G.node /\ n \in G.node /\ n \in ReachedFrom(m, G.node, G.edge)

\* Who is reached from whom, each node from itself.
ConnectionsIn(G) ==
    LET reached == [m \in G.node |-> ReachedFrom(m, G.node, G.edge)]
    IN [m, n \in G.node |-> n \in reached[m]]

IsStronglyConnected(G) == \A m \in G.node : G.node \subseteq ReachedFrom(m, G.node, G.edge)

\* Edges lead to the root.
IsTreeWithRoot(G, r) ==
    /\ IsDirectedGraph(G)
    /\ \A edge \in G.edge : edge[1] # r /\ \A other \in G.edge : edge[1] = other[1] => edge = other
    /\ \A node \in G.node : AreConnectedIn(node, r, G)
===============================================================================
