----------------------------- MODULE RaftElection -----------------------------
EXTENDS Naturals, FiniteSets, Sequences, TLC
CONSTANTS Server, Nil, MaxTerm
Follower == "follower"  Candidate == "candidate"  Leader == "leader"
VARIABLES term, role, votedFor, votes, net
perServer == <<term, role, votedFor, votes>>
vars == <<perServer, net>>

RequestVote(t, from, to) == [kind |-> "ask", term |-> t, src |-> from, dst |-> to]
Grant(t, from, to) == [kind |-> "grant", term |-> t, src |-> from, dst |-> to]
Majority == {Q \in SUBSET Server : Cardinality(Q) * 2 > Cardinality(Server)}

Init == /\ term = [s \in Server |-> 1]
        /\ role = [s \in Server |-> Follower]
        /\ votedFor = [s \in Server |-> Nil]
        /\ votes = [s \in Server |-> {}]
        /\ net = {}

Timeout(s) == /\ role[s] \in {Follower, Candidate}
              /\ term[s] < MaxTerm
              /\ term' = [term EXCEPT ![s] = @ + 1]
              /\ role' = [role EXCEPT ![s] = Candidate]
              /\ votedFor' = [votedFor EXCEPT ![s] = s]
              /\ votes' = [votes EXCEPT ![s] = {s}]
              /\ net' = net \cup {RequestVote(term'[s], s, o) : o \in Server \ {s}}

StepDown(s, m) == /\ m.term > term[s]
                  /\ term' = [term EXCEPT ![s] = m.term]
                  /\ role' = [role EXCEPT ![s] = Follower]
                  /\ votedFor' = [votedFor EXCEPT ![s] = Nil]
                  /\ UNCHANGED <<votes, net>>

HandleAsk(s, m) == /\ m.kind = "ask"
                   /\ m.term = term[s]
                   /\ votedFor[s] \in {Nil, m.src}
                   /\ votedFor' = [votedFor EXCEPT ![s] = m.src]
                   /\ net' = (net \ {m}) \cup {Grant(m.term, s, m.src)}
                   /\ UNCHANGED <<term, role, votes>>

HandleGrant(s, m) == /\ m.kind = "grant"
                     /\ m.term = term[s]
                     /\ votes' = [votes EXCEPT ![s] = @ \cup {m.src}]
                     /\ net' = net \ {m}
                     /\ UNCHANGED <<term, role, votedFor>>

BecomeLeader(s) == /\ role[s] = Candidate
                   /\ votes[s] \in Majority
                   /\ role' = [role EXCEPT ![s] = Leader]
                   /\ UNCHANGED <<term, votedFor, votes, net>>

Receive(m) == LET s == m.dst
              IN  \/ StepDown(s, m)
                  \/ HandleAsk(s, m)
                  \/ HandleGrant(s, m)

Next == \/ \E s \in Server : Timeout(s) \/ BecomeLeader(s)
        \/ \E m \in net : Receive(m)
Spec == Init /\ [][Next]_vars

OneLeaderPerTerm ==
  \A a, b \in Server : (role[a] = Leader /\ role[b] = Leader /\ term[a] = term[b]) => a = b
Symmetry == Permutations(Server)
===============================================================================
