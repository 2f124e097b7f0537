-------------------------------- MODULE Quorum --------------------------------
\* The sets of quorums of S: not empty, any two quorums meet, and whatever contains a quorum is one.
QuorumSystem(S) ==
    {quorums \in SUBSET SUBSET S :
        /\ quorums # {}
        /\ \A p, q \in quorums : p \cap q # {}
        /\ \A q \in quorums : \A larger \in SUBSET S : q \subseteq larger => larger \in quorums}
===============================================================================
