----------------------------- MODULE RingElection -----------------------------
(* Identities travel clockwise; a smaller one is swallowed by a larger node.   *)
EXTENDS Naturals, Sequences
CONSTANTS N, Id
ASSUME DOMAIN Id = 1..N /\ \A i, j \in 1..N : Id[i] = Id[j] => i = j
Pos == 1..N
succ[i \in Pos] == IF i = N THEN 1 ELSE i + 1
VARIABLES inbox, leader
vars == <<inbox, leader>>
Init == /\ inbox = [i \in Pos |-> <<>>]
        /\ leader = [i \in Pos |-> FALSE]
Start(i) == /\ inbox[succ[i]] = <<>>
            /\ \A j \in Pos : ~leader[j]
            /\ inbox' = [inbox EXCEPT ![succ[i]] = Append(@, Id[i])]
            /\ UNCHANGED leader
Receive(i) ==
  /\ inbox[i] # <<>>
  /\ LET id == Head(inbox[i])
         rest == [inbox EXCEPT ![i] = Tail(@)]
     IN  IF id = Id[i]
         THEN leader' = [leader EXCEPT ![i] = TRUE] /\ inbox' = rest
         ELSE IF id > Id[i]
              THEN inbox' = [rest EXCEPT ![succ[i]] = Append(@, id)] /\ UNCHANGED leader
              ELSE inbox' = rest /\ UNCHANGED leader
Next == \E i \in Pos : Start(i) \/ Receive(i)
Spec == Init /\ [][Next]_vars
Short == \A i \in Pos : Len(inbox[i]) <= 2
MaxId == CHOOSE x \in {Id[i] : i \in Pos} : \A j \in Pos : x >= Id[j]
OnlyMaxLeads == \A i \in Pos : leader[i] => Id[i] = MaxId
ThreeIds == <<5, 2, 9>>
FourIds == <<4, 1, 8, 3>>
===============================================================================
