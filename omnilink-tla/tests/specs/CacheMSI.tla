------------------------------ MODULE CacheMSI ------------------------------
(* Snooping caches on an atomic bus: Modified, Shared, Invalid.              *)
EXTENDS Naturals
CONSTANTS Cpu, Addr, Data
VARIABLES line, memory, last
vars == <<line, memory, last>>
Invalid == [st |-> "I"]
Lines == {Invalid} \cup [st : {"M", "S"}, data : Data]
TypeOK == line \in [Cpu -> [Addr -> Lines]] /\ memory \in [Addr -> Data]
Zero == CHOOSE d \in Data : \A e \in Data : d <= e
Init == /\ line = [c \in Cpu |-> [a \in Addr |-> Invalid]]
        /\ memory = [a \in Addr |-> Zero]
        /\ last = memory
Owner(a) == {c \in Cpu : line[c][a].st = "M"}
Current(a) == IF Owner(a) = {} THEN memory[a]
              ELSE line[CHOOSE c \in Owner(a) : TRUE][a].data
Load(c, a) == /\ line[c][a].st = "I"
              /\ memory' = [memory EXCEPT ![a] = Current(a)]
              /\ line' = [d \in Cpu |->
                            [line[d] EXCEPT ![a] =
                               IF d = c \/ d \in Owner(a)
                               THEN [st |-> "S", data |-> Current(a)] ELSE @]]
              /\ UNCHANGED last
Store(c, a, v) == /\ line' = [d \in Cpu |->
                                [line[d] EXCEPT ![a] = IF d = c THEN [st |-> "M", data |-> v] ELSE Invalid]]
                  /\ memory' = [memory EXCEPT ![a] = Current(a)]
                  /\ last' = [last EXCEPT ![a] = v]
Evict(c, a) == /\ line[c][a].st # "I"
               /\ line' = [line EXCEPT ![c][a] = Invalid]
               /\ IF line[c][a].st = "M" THEN memory' = [memory EXCEPT ![a] = line[c][a].data]
                                         ELSE UNCHANGED memory
               /\ UNCHANGED last
Next == \E c \in Cpu, a \in Addr : Load(c, a) \/ Evict(c, a) \/ \E v \in Data : Store(c, a, v)
Coherent == \A a \in Addr :
  /\ \A c \in Cpu : line[c][a].st # "I" => line[c][a].data = last[a]
  /\ \A c, d \in Cpu : line[c][a].st = "M" /\ c # d => line[d][a].st = "I"
  /\ Current(a) = last[a]
=============================================================================
