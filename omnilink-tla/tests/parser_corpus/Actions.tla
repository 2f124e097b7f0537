---- MODULE Actions ----
\* Actions and temporal formulas.
EXTENDS Integers
VARIABLE x
VARIABLES y, z
vars == <<x, y, z>>
I(v) == INSTANCE Inner WITH w <- v

Init == x = 0 /\ y = {} /\ z = [n \in 1..3 |-> 0]

Step(n) ==
  /\ x' = x + n
  /\ y' \in SUBSET {n}
  /\ UNCHANGED z
  /\ UNCHANGED <<y, z>>
  /\ z' = [z EXCEPT ![n] = @ + 1]
  /\ (x + 1)' = n
  /\ I(n)!Next
  /\ I(x)!J!Op(1, 2)'
  /\ z[n]' = 1 /\ z'[n] = 1
  /\ ENABLED (x' = 1)

Next == \/ \E n \in 1..3 : Step(n)
        \/ /\ x > 3
           /\ UNCHANGED vars

Spec == Init /\ [][Next]_vars /\ WF_vars(Next) /\ SF_<<x, y>>(Step(1))
Spec2 == /\ Init
         /\ [][Next]_<<x, y>>
         /\ \A n \in 1..3 : WF_vars(Step(n)) /\ SF_(x)(Next)
         /\ [](x > 0 => <>(y = {}))
         /\ x = 1 ~> x = 2
         /\ <><<Next>>_vars
         /\ []<><<Next /\ x = 1>>_<<x, y>>
         /\ [][x = 1 => x' = 2]_x
         /\ WF_I(1)!vars(Next)
         /\ \EE h : [][h' = x]_h
====
