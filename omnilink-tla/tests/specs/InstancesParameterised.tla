------------------------- MODULE InstancesParameterised -------------------------
(* One instance per thing: the parameters are an index, a variable's part is     *)
(* reached through a substitution that mentions them.                            *)
EXTENDS Naturals, FiniteSets
CONSTANTS Wheel, Max
VARIABLE reading, total
W(w, most) == INSTANCE Counter WITH value <- reading[w], Bound <- most
Whole == INSTANCE Counter WITH value <- total, Bound <- Max * Cardinality(Wheel)
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})
Init == reading = [w \in Wheel |-> 0] /\ Whole!Init
Turn(w) == /\ reading[w] < Max
           /\ reading' = [reading EXCEPT ![w] = @ + 1]
           /\ Whole!Up
Clear == /\ \E w \in Wheel : ~W(w, 1)!Init
         /\ reading' = [w \in Wheel |-> 0]
         /\ Whole!Reset
Next == Clear \/ \E w \in Wheel : Turn(w)
AllInBounds == \A w \in Wheel : W(w, Max)!InBounds
TotalIsSum == total = Sum(reading, Wheel) /\ Whole!InBounds
TooTight == \A w \in Wheel : W(w, Max - 1)!InBounds
=================================================================================
