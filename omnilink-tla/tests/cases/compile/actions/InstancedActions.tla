---- MODULE InstancedActions ----
(* Actions of instances: variables substituted by variables, by expressions, by parameters. *)
EXTENDS Integers
VARIABLES lo, hi, log
---- MODULE Counter ----
EXTENDS Integers
CONSTANT limit
VARIABLE count
Init == count = 0
Up == count < limit /\ count' = count + 1
Down(by) == count >= by /\ count' = count - by
Next == Up \/ \E by \in 1..2 : Down(by)
Same == UNCHANGED count
Grew == count' > count
====
Low == INSTANCE Counter WITH count <- lo, limit <- 2
High(max) == INSTANCE Counter WITH count <- hi, limit <- max
Total == INSTANCE Counter WITH count <- lo + hi, limit <- 100
Record == IF Total!Grew THEN log' = "grew" ELSE log' = "not"
Init == Low!Init /\ High(1)!Init /\ log = ""
Next == \/ Low!Next /\ High(3)!Same /\ Record
        \/ High(3)!Next /\ Low!Same /\ Record
        \/ LET Mid(m) == INSTANCE Counter WITH count <- hi, limit <- m IN Mid(2)!Up /\ Low!Same /\ UNCHANGED log
        \/ \E m \in 1..2 : LET Mid == INSTANCE Counter WITH count <- lo, limit <- m
                           IN  Mid!Down(m) /\ UNCHANGED <<hi, log>>
Spec == Init /\ [][Next]_<<lo, hi, log>>
Abstract == INSTANCE Counter WITH count <- lo, limit <- 2
====
