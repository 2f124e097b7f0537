----------------------------- MODULE Philosophers -----------------------------
EXTENDS Naturals
CONSTANTS Seats, Polite
ASSUME Seats > 1 /\ Polite \in BOOLEAN
Phil == 0..(Seats-1)
Left(p) == p
Right(p) == (p + 1) % Seats
VARIABLES fork, hands
Nobody == Seats
Init == fork = [f \in Phil |-> Nobody] /\ hands = [p \in Phil |-> 0]

\* With Polite, the last philosopher begins with the other fork.
First(p)  == IF Polite /\ p = Seats - 1 THEN Right(p) ELSE Left(p)
Second(p) == IF First(p) = Left(p) THEN Right(p) ELSE Left(p)

Take(p, f) == fork[f] = Nobody /\ fork' = [fork EXCEPT ![f] = p]
TakeFirst(p)  == hands[p] = 0 /\ Take(p, First(p))  /\ hands' = [hands EXCEPT ![p] = 1]
TakeSecond(p) == hands[p] = 1 /\ Take(p, Second(p)) /\ hands' = [hands EXCEPT ![p] = 2]
PutBack(p) == /\ hands[p] = 2
              /\ fork' = [fork EXCEPT ![Left(p)] = Nobody, ![Right(p)] = Nobody]
              /\ hands' = [hands EXCEPT ![p] = 0]
Next == \E p \in Phil: TakeFirst(p) \/ TakeSecond(p) \/ PutBack(p)
vars == <<fork, hands>>
Live == Init /\ [][Next]_vars /\ \A p \in Phil : SF_vars(TakeFirst(p)) /\ SF_vars(TakeSecond(p)) /\ WF_vars(PutBack(p))
NeighboursDoNotEat == \A p \in Phil : ~(hands[p] = 2 /\ hands[Right(p)] = 2)
Eats == \A p \in Phil : []<>(hands[p] = 2)
===============================================================================
