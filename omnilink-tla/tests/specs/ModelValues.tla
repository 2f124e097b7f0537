------------------------------ MODULE ModelValues ------------------------------
(* Model values equal only themselves, whatever they are compared with.           *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Server, Client, Null, Nobody, Special
VARIABLES owner, held
ASSUME /\ Null # 1 /\ Null # "Null" /\ Null # <<>> /\ Null # {} /\ Null # Nobody
       /\ Null \notin Server /\ Null \notin {1, 2} /\ Null \in {Null, 1}
       /\ Cardinality({Null, Nobody, 1, 2}) = 4
       /\ Special \in Server
Init == owner = [s \in Server |-> Null] /\ held = [c \in Client |-> Nobody]
Lock(c, s) == /\ owner[s] = Null /\ held[c] = Nobody
              /\ owner' = [owner EXCEPT ![s] = c]
              /\ held' = [held EXCEPT ![c] = IF s = Special THEN <<s>> ELSE s]
Unlock(c) == /\ held[c] # Nobody
             /\ \E s \in Server : /\ owner[s] = c
                                  /\ owner' = [owner EXCEPT ![s] = Null]
             /\ held' = [held EXCEPT ![c] = Nobody]
Steal(c, s) == /\ owner[s] \in Client \ {c}
               /\ held[c] = Nobody
               /\ owner' = [owner EXCEPT ![s] = c]
               /\ held' = [held EXCEPT ![c] = held[owner[s]], ![owner[s]] = Nobody]
Next == \E c \in Client : Unlock(c) \/ \E s \in Server : Lock(c, s) \/ Steal(c, s)
Sym == Permutations(Client)
TypeOK == /\ owner \in [Server -> Client \cup {Null}]
          /\ held \in [Client -> Server \cup {Nobody, <<Special>>}]
Exclusive == \A s \in Server : owner[s] # Null => held[owner[s]] \in {s, <<s>>}
=================================================================================
