---------------------------- MODULE AbstractChannel ----------------------------
(* A FIFO as a sequence: what implementations are compared with.                 *)
EXTENDS Naturals, Sequences
CONSTANT Message
VARIABLE ch
Init == ch = <<>>
Send(m) == ch' = Append(ch, m)
Recv(m) == ch # <<>> /\ m = Head(ch) /\ ch' = Tail(ch)
Next == \E m \in Message : Send(m) \/ Recv(m)
Spec == Init /\ [][Next]_ch
Length == Len(ch)
Contains(m) == \E i \in 1..Len(ch) : ch[i] = m
LOCAL Hidden == 42
================================================================================
