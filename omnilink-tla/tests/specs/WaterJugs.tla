------------------------------- MODULE WaterJugs -------------------------------
(* Any number of jugs without marks: is there a way to measure Goal?             *)
EXTENDS Naturals
CONSTANTS Jug, Capacity, Goal
ASSUME /\ Capacity \in [Jug -> {n \in 1..20 : n > 0}]
       /\ Goal \in Nat
VARIABLE contents
Min(m, n) == IF m < n THEN m ELSE n
Init == contents = [j \in Jug |-> 0]
Fill(j)  == contents' = [contents EXCEPT ![j] = Capacity[j]]
Empty(j) == contents' = [contents EXCEPT ![j] = 0]
Pour(j, k) == LET amount == Min(contents[j], Capacity[k] - contents[k])
              IN  contents' = [contents EXCEPT ![j] = @ - amount, ![k] = @ + amount]
Next == \E j \in Jug : \/ Fill(j) \/ Empty(j)
                       \/ \E k \in Jug \ {j} : Pour(j, k)
NotMeasured == \A j \in Jug : contents[j] # Goal
BigAndSmall == [big |-> 5, small |-> 3]
ThreeJugs == [a |-> 12, b |-> 8, c |-> 5]
=================================================================================
