--------------------------- MODULE ChainReplication ---------------------------
(* Writes enter at the head and travel down; reads are served by the tail; a    *)
(* server may fail and the chain closes.                                        *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Servers, MaxWrites, MaxFailures
VARIABLES chain, log, acked, failures
vars == <<chain, log, acked, failures>>
IsPerm(s) == \A i, j \in DOMAIN s : s[i] = s[j] => i = j
Init == /\ chain \in {s \in [1..Cardinality(Servers) -> Servers] : IsPerm(s)}
        /\ log = [s \in Servers |-> 0]
        /\ acked = 0
        /\ failures = 0
HeadS == chain[1]
TailS == chain[Len(chain)]
Write == /\ log[HeadS] < MaxWrites
         /\ log' = [log EXCEPT ![HeadS] = @ + 1]
         /\ UNCHANGED <<chain, acked, failures>>
Forward == \E i \in 2..Len(chain) :
             /\ log[chain[i]] < log[chain[i-1]]
             /\ log' = [log EXCEPT ![chain[i]] = @ + 1]
             /\ UNCHANGED <<chain, acked, failures>>
Ack == acked < log[TailS] /\ acked' = log[TailS] /\ UNCHANGED <<chain, log, failures>>
Fail(s) == /\ failures < MaxFailures /\ Len(chain) > 1
           /\ \E i \in DOMAIN chain : chain[i] = s
           /\ chain' = SelectSeq(chain, LAMBDA x : x # s)
           /\ failures' = failures + 1
           /\ UNCHANGED <<log, acked>>
Next == Write \/ Forward \/ Ack \/ \E s \in Servers : Fail(s)
Spec == Init /\ [][Next]_vars
Ordered == \A i \in 1..Len(chain) - 1 : log[chain[i]] >= log[chain[i+1]]
Durable == \A i \in DOMAIN chain : log[chain[i]] >= acked
===============================================================================
