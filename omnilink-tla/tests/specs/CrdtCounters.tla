----------------------------- MODULE CrdtCounters -----------------------------
(* A counter that may go up and down on every replica; merging takes maxima.   *)
EXTENDS Integers, FiniteSets, TLC
CONSTANTS Replica, Limit
VARIABLES up, down
vars == <<up, down>>
Zero == [i \in Replica |-> [j \in Replica |-> 0]]
Init == up = Zero /\ down = Zero
Inc(i) == up[i][i] < Limit /\ up' = [up EXCEPT ![i][i] = @ + 1] /\ UNCHANGED down
Dec(i) == down[i][i] < Limit /\ down' = [down EXCEPT ![i][i] = @ + 1] /\ UNCHANGED up
max(m, n) == IF m > n THEN m ELSE n
Lub(f, g) == [j \in Replica |-> max(f[j], g[j])]
Merge(i, j) == /\ i /= j
               /\ up' = [up EXCEPT ![j] = Lub(up[i], @)]
               /\ down' = [down EXCEPT ![j] = Lub(down[i], @)]
Next == \E i \in Replica : \/ Inc(i) \/ Dec(i)
                           \/ \E j \in Replica : Merge(i, j)
RECURSIVE SumOver(_, _)
SumOver(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + SumOver(f, S \ {x})
Value(i) == SumOver(up[i], Replica) - SumOver(down[i], Replica)
Bounds == \A i \in Replica : Value(i) \in -(Limit * Cardinality(Replica)) .. Limit * Cardinality(Replica)
KnowsOwn == \A i, j \in Replica : up[i][j] \leq up[j][j] /\ down[i][j] \leq down[j][j]
SameMergedSameValue == \A i, j \in Replica : (up[i] = up[j] /\ down[i] = down[j]) => Value(i) = Value(j)
===============================================================================
