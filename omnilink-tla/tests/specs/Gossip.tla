------------------------------- MODULE Gossip -------------------------------
(* Anti-entropy: nodes hold versioned entries and merge pairwise; push, pull *)
(* and both.                                                                 *)
EXTENDS Integers, FiniteSets
CONSTANTS Node, MaxVersion
VARIABLES version  \* version[n][m]: the newest update of m that n knows

Max(a, b) == IF a > b THEN a ELSE b
Merge(f, g) == [m \in Node |-> Max(f[m], g[m])]

Init == version = [n, m \in Node |-> 0]

Update(n) == /\ version[n, n] < MaxVersion
             /\ version' = [version EXCEPT ![n, n] = @ + 1]
Row(n) == [m \in Node |-> version[n, m]]
Set(n, row) == [pair \in Node \X Node |-> IF pair[1] = n THEN row[pair[2]] ELSE version[pair]]
Push(from, to) == version' = Set(to, Merge(Row(from), Row(to)))
Sync(a, b) == LET merged == Merge(Row(a), Row(b))
              IN  version' = [<<n, m>> \in Node \X Node |->
                                IF n \in {a, b} THEN merged[m] ELSE version[n, m]]
Next == \/ \E n \in Node : Update(n)
        \/ \E a \in Node, b \in Node : a # b /\ (Push(a, b) \/ Sync(a, b))

OwnIsNewest == \A n, m \in Node : version[n, m] <= version[m, m]
AllEqual == \A n, m, o \in Node : version[n, o] = version[m, o]
NeverConverges == ~(AllEqual /\ \A n \in Node : version[n, n] = MaxVersion)
=============================================================================
