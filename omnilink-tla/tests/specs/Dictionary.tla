------------------------------ MODULE Dictionary ------------------------------
(* An ordered dictionary as an interface: a function over a changing domain.    *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Keys, Values
VARIABLE dict
Init == dict = [k \in {} |-> 0]
Present(k) == k \in DOMAIN dict

Insert(k, v) == dict' = [x \in DOMAIN dict \cup {k} |-> IF x = k THEN v ELSE dict[x]]
InsertIfAbsent(k, v, inserted) ==
  \/ /\ inserted
     /\ ~Present(k)
     /\ dict' = (k :> v) @@ dict
  \/ /\ ~inserted
     /\ Present(k)
     /\ UNCHANGED dict
Erase(k, erased) ==
  /\ erased = Present(k)
  /\ dict' = IF erased THEN [x \in DOMAIN dict \ {k} |-> dict[x]] ELSE dict
Contains(k, result) == result = Present(k) /\ UNCHANGED dict
Get(k, v) == Present(k) /\ v = dict[k] /\ UNCHANGED dict
RangeCount(lo, hi, n) == /\ lo <= hi
                         /\ n = Cardinality({k \in DOMAIN dict : lo <= k /\ k <= hi})
                         /\ UNCHANGED dict
Next == \/ \E k \in Keys, v \in Values :
             \/ Insert(k, v)
             \/ Get(k, v)
             \/ \E b \in BOOLEAN : InsertIfAbsent(k, v, b)
        \/ \E k \in Keys, b \in BOOLEAN : Erase(k, b) \/ Contains(k, b)
        \/ \E lo, hi \in Keys, n \in 0 .. Cardinality(Keys) : RangeCount(lo, hi, n)
TypeOK == DOMAIN dict \subseteq Keys /\ dict \in UNION {[K -> Values] : K \in SUBSET Keys}
===============================================================================
