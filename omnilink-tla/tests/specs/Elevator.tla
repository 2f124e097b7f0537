------------------------------- MODULE Elevator -------------------------------
EXTENDS Integers, FiniteSets
CONSTANTS Floors, Person
Floor == 1..Floors
Dir == {-1, 0, 1}
VARIABLES cabin, person
Goal == [at : Floor, to : Floor, inside : BOOLEAN]
Init == /\ cabin = [floor |-> 1, open |-> FALSE, dir |-> 0]
        /\ person \in [Person -> [at : {1}, to : Floor, inside : {FALSE}]]
Calls == {person[p].at : p \in {q \in Person : ~person[q].inside /\ person[q].at # person[q].to}}
           \cup {person[p].to : p \in {q \in Person : person[q].inside}}
Above == \E f \in Calls : f > cabin.floor
Below == \E f \in Calls : f < cabin.floor
Turn == /\ ~cabin.open
        /\ cabin' = [cabin EXCEPT !.dir = IF @ >= 0 /\ Above THEN 1 ELSE IF Below THEN -1 ELSE IF Above THEN 1 ELSE 0]
        /\ cabin'.dir # cabin.dir
        /\ UNCHANGED person
Go == /\ ~cabin.open /\ cabin.dir # 0
      /\ IF cabin.dir = 1 THEN Above ELSE Below
      /\ cabin.floor \notin Calls
      /\ cabin' = [cabin EXCEPT !.floor = @ + cabin.dir]
      /\ UNCHANGED person
Open == ~cabin.open /\ cabin.floor \in Calls /\ cabin' = [cabin EXCEPT !.open = TRUE] /\ UNCHANGED person
Close == cabin.open /\ cabin.floor \notin Calls /\ cabin' = [cabin EXCEPT !.open = FALSE] /\ UNCHANGED person
Enter(p) == /\ cabin.open
            /\ LET me == person[p]
               IN  ~me.inside /\ me.at = cabin.floor /\ me.at # me.to
            /\ person' = [person EXCEPT ![p].inside = TRUE]
            /\ UNCHANGED cabin
Leave(p) == /\ cabin.open
            /\ person[p].inside /\ person[p].to = cabin.floor
            /\ person' = [person EXCEPT ![p] = [@ EXCEPT !.inside = FALSE, !.at = cabin.floor]]
            /\ UNCHANGED cabin
Wish(p) == /\ ~person[p].inside /\ person[p].at = person[p].to
           /\ \E f \in Floor \ {person[p].at} : person' = [person EXCEPT ![p].to = f]
           /\ UNCHANGED cabin
Next == Turn \/ Go \/ Open \/ Close \/ \E p \in Person : Enter(p) \/ Leave(p) \/ Wish(p)
TypeOK == cabin \in [floor : Floor, open : BOOLEAN, dir : Dir] /\ person \in [Person -> Goal]
===============================================================================
