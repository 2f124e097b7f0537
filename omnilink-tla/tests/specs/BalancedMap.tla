----------------------------- MODULE BalancedMap -----------------------------
(* A two-level B-tree: leaves of at most MaxLeaf keys, split when full.        *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Key, MaxLeaf
VARIABLES leaves, model   \* a sequence of sets of keys; the abstract set
Init == leaves = <<{}>> /\ model = {}
MinOf(S) == CHOOSE x \in S : \A y \in S : x <= y
MaxOf(S) == CHOOSE x \in S : \A y \in S : x >= y
\* The leaf where k belongs: the last one that begins at or below it.
Find(k) == LET below == {i \in DOMAIN leaves : i = 1 \/ MinOf(leaves[i]) <= k}
           IN  MaxOf(below)
Lower(S) == {x \in S : Cardinality({y \in S : y < x}) < Cardinality(S) \div 2}
Replace(s, i, mid) == SubSeq(s, 1, i - 1) \o mid \o SubSeq(s, i + 1, Len(s))
Insert(k) == LET i == Find(k)
                 leaf == leaves[i] \cup {k}
             IN  /\ leaves' = IF Cardinality(leaf) > MaxLeaf
                              THEN Replace(leaves, i, <<Lower(leaf), leaf \ Lower(leaf)>>)
                              ELSE [leaves EXCEPT ![i] = leaf]
                 /\ model' = model \cup {k}
Erase(k) == LET i == Find(k)
                leaf == leaves[i] \ {k}
            IN  /\ k \in leaves[i]
                /\ leaves' = IF leaf = {} /\ Len(leaves) > 1
                             THEN Replace(leaves, i, <<>>)
                             ELSE [leaves EXCEPT ![i] = leaf]
                /\ model' = model \ {k}
Lookup(k, found) == found = (k \in leaves[Find(k)]) /\ UNCHANGED <<leaves, model>>
Next == \E k \in Key : Insert(k) \/ Erase(k) \/ \E found \in BOOLEAN : Lookup(k, found)
Contents == UNION {leaves[i] : i \in DOMAIN leaves}
Agrees == Contents = model
Findable == \A k \in Key : k \in leaves[Find(k)] <=> k \in model
SortedLeaves == \A i, j \in DOMAIN leaves : i < j => \A x \in leaves[i], y \in leaves[j] : x < y
Sizes == \A i \in DOMAIN leaves : Cardinality(leaves[i]) <= MaxLeaf
===============================================================================
