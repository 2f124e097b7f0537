--------------------------- MODULE PrimedExpressions ---------------------------
(* Primes on variables, expressions, operators; assignment by membership;         *)
(* reading and testing what has been assigned already.                            *)
EXTENDS Integers, FiniteSets
VARIABLES x, y, z
Sum == x + y
Both(k) == x + k * y
pair == <<x, y>>
Init == x = 0 /\ y = 1 /\ z = {}
ByMembership == x' \in 0..3 /\ y' = x' /\ z' = z
SubsetOf == z' \in SUBSET {0, 1} /\ UNCHANGED pair
Tested == x' \in 0..3 /\ x' > x /\ x' \in {1, 3, 5} /\ UNCHANGED <<y, z>>
Twice == x' = 2 /\ x' = 2 /\ x' \in {1, 2} /\ UNCHANGED y /\ z' = z \cup {x'}
Contradiction == x' = 2 /\ x' = 3 /\ UNCHANGED <<y, z>>
PrimedOperator == x' = y /\ y' = x /\ Sum' = Sum /\ Both(2)' = y + 2 * x /\ UNCHANGED z
PrimedExpression == /\ x' = (x + 1) % 4
                    /\ y' \in 0..3
                    /\ (x + y)' < 4
                    /\ (IF x > y THEN x - y ELSE y - x)' <= 1
                    /\ z' = {i \in z : i < 2}
PrimedPair == \E p \in (0..1) \X (0..1) : x' = p[1] /\ y' = p[2] /\ pair' = p /\ UNCHANGED z
FunctionAssigned == z' = {} /\ x' = Cardinality(z') /\ y' = Both(0) % 4
Next == ByMembership \/ SubsetOf \/ Tested \/ Twice \/ Contradiction
        \/ PrimedOperator \/ PrimedExpression \/ PrimedPair \/ FunctionAssigned
TypeOK == x \in 0..3 /\ y \in 0..3 /\ z \subseteq 0..3
=================================================================================
