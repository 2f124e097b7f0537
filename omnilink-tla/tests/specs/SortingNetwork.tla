---------------------------- MODULE SortingNetwork ----------------------------
(* Comparators in any order sort in the end; a bag is kept.                      *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Values, Length
VARIABLES a, a0
IsSorted(s) == \A i \in 1 .. Len(s) - 1 : s[i] <= s[i + 1]
Occurrences(s, v) == Cardinality({i \in DOMAIN s : s[i] = v})
Perm(s, t) == \A v \in Values : Occurrences(s, v) = Occurrences(t, v)
Init == /\ a0 \in [1..Length -> Values]
        /\ a = a0
Compare(i, j) == /\ i < j /\ a[i] > a[j]
                 /\ a' = [a EXCEPT ![i] = a[j], ![j] = a[i]]
                 /\ UNCHANGED a0
Next == \E i, j \in DOMAIN a : Compare(i, j)
SameThings == Perm(a, a0)
EndsSorted == (\A i, j \in DOMAIN a : ~(i < j /\ a[i] > a[j])) => IsSorted(a)
NeverSorted == IsSorted(a0) \/ ~IsSorted(a)
===============================================================================
