--------------------------- MODULE AlternatingBit ---------------------------
(* Two lossy FIFO channels, also duplicating; a bit per message and back.    *)
EXTENDS Naturals, Sequences
CONSTANTS Data, ChannelMax
VARIABLES sendBit, sendVal, recvBit, recvVal, wire, acks
chan == <<wire, acks>>
sender == <<sendBit, sendVal>>
receiver == <<recvBit, recvVal>>
vars == <<sender, receiver, chan>>

Init == /\ sendBit = 0 /\ sendVal \in Data
        /\ recvBit = 0 /\ recvVal = sendVal
        /\ wire = <<>> /\ acks = <<>>

NewValue(v) == /\ sendBit = recvBit \* known through the last acknowledgement only
               /\ acks = <<>> /\ wire = <<>>
               /\ sendBit' = 1 - sendBit
               /\ sendVal' = v
               /\ UNCHANGED <<receiver, chan>>
Resend == /\ wire' = Append(wire, <<sendVal, sendBit>>)
          /\ UNCHANGED <<sender, receiver, acks>>
ReceiveMessage == /\ wire # <<>>
                  /\ LET m == Head(wire)
                     IN  IF m[2] # recvBit
                         THEN recvBit' = m[2] /\ recvVal' = m[1]
                         ELSE UNCHANGED receiver
                  /\ wire' = Tail(wire)
                  /\ UNCHANGED <<sender, acks>>
Acknowledge == acks' = Append(acks, recvBit) /\ UNCHANGED <<sender, receiver, wire>>
ReceiveAck == acks /= <<>> /\ acks' = Tail(acks) /\ UNCHANGED <<sender, receiver, wire>>

Without(q, i) == [j \in 1 .. Len(q) - 1 |-> IF j < i THEN q[j] ELSE q[j + 1]]
Lose == \/ \E i \in 1..Len(wire) : wire' = Without(wire, i) /\ UNCHANGED <<sender, receiver, acks>>
        \/ \E i \in 1..Len(acks) : acks' = Without(acks, i) /\ UNCHANGED <<sender, receiver, wire>>
Next == (\E v \in Data : NewValue(v)) \/ Resend \/ ReceiveMessage \/ Acknowledge \/ ReceiveAck \/ Lose
Spec == Init /\ [][Next]_vars /\ WF_vars(Resend) /\ SF_vars(ReceiveMessage)

Bounded == Len(wire) =< ChannelMax /\ Len(acks) =< ChannelMax
Delivered == sendBit = recvBit => sendVal = recvVal
Inv == Delivered /\ \A i \in DOMAIN wire : wire[i] \in Data \X {0, 1}
=============================================================================
