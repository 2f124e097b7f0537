----------------------------- MODULE PaxosSingle -----------------------------
(* The single-decree synod. Every message ever sent stays in `msgs`; a       *)
(* proposer is only its ballot number.                                       *)
EXTENDS Integers, FiniteSets
CONSTANTS Value, Acceptor, Quorum, MaxBallot
ASSUME QuorumsMeet ==
  /\ \A Q \in Quorum : Q \subseteq Acceptor
  /\ \A Q1, Q2 \in Quorum : Q1 \cap Q2 # {}

Ballot == 0 .. MaxBallot
None == CHOOSE v : v \notin Value

VARIABLES maxBal, maxVBal, maxVal, msgs
vars == <<maxBal, <<maxVBal, maxVal>>, msgs>>

Messages ==
       [type : {"1a"}, bal : Ballot]
  \cup [type : {"1b"}, acc : Acceptor, bal : Ballot, vbal : Ballot \cup {-1}, val : Value \cup {None}]
  \cup [type : {"2a"}, bal : Ballot, val : Value]
  \cup [type : {"2b"}, acc : Acceptor, bal : Ballot, val : Value]

TypeOK ==
  /\ maxBal  \in [Acceptor -> Ballot \cup {-1}]
  /\ maxVBal \in [Acceptor -> Ballot \cup {-1}]
  /\ maxVal  \in [Acceptor -> Value \cup {None}]
  /\ msgs \in SUBSET Messages

Init ==
  /\ maxBal  = [a \in Acceptor |-> -1]
  /\ maxVBal = [a \in Acceptor |-> -1]
  /\ maxVal  = [a \in Acceptor |-> None]
  /\ msgs = {}

Send(m) == msgs' = msgs \union {m}

Phase1a(b) ==
  /\ Send([type |-> "1a", bal |-> b])
  /\ UNCHANGED <<maxBal, maxVBal, maxVal>>

Phase1b(a) == \E m \in msgs :
  /\ m.type = "1a" /\ m.bal > maxBal[a]
  /\ maxBal' = [maxBal EXCEPT ![a] = m.bal]
  /\ Send([type |-> "1b", acc |-> a, bal |-> m.bal, vbal |-> maxVBal[a], val |-> maxVal[a]])
  /\ UNCHANGED <<maxVBal, maxVal>>

Phase2a(b, v) ==
  /\ ~ \E m \in msgs : m.type = "2a" /\ m.bal = b
  /\ \E Q \in Quorum :
       LET promises == {m \in msgs : m.type = "1b" /\ m.acc \in Q /\ m.bal = b}
           voted    == {m \in promises : m.vbal >= 0}
       IN  /\ \A a \in Q : \E m \in promises : m.acc = a
           /\ \/ voted = {}
              \/ \E m \in voted : m.val = v /\ \A o \in voted : m.vbal >= o.vbal
  /\ Send([type |-> "2a", bal |-> b, val |-> v])
  /\ UNCHANGED <<maxBal, maxVBal, maxVal>>

Phase2b(a) ==
  \E m \in msgs :
    /\ m.type = "2a"
    /\ m.bal >= maxBal[a]
    /\ maxBal'  = [maxBal  EXCEPT ![a] = m.bal]
    /\ maxVBal' = [maxVBal EXCEPT ![a] = m.bal]
    /\ maxVal'  = [maxVal  EXCEPT ![a] = m.val]
    /\ Send([type |-> "2b", acc |-> a, bal |-> m.bal, val |-> m.val])

Next == \/ \E b \in Ballot : Phase1a(b) \/ \E v \in Value : Phase2a(b, v)
        \/ \E a \in Acceptor : Phase1b(a) \/ Phase2b(a)

Spec == Init /\ [][Next]_vars

votedFor(a, b, v) == [type |-> "2b", acc |-> a, bal |-> b, val |-> v] \in msgs
chosen == {v \in Value : \E Q \in Quorum, b \in Ballot : \A a \in Q : votedFor(a, b, v)}

\* Substitution by definition: the abstract variable is the operator above.
C == INSTANCE Consensus
Safe == C!Agreement
Refines == C!Spec
===============================================================================
