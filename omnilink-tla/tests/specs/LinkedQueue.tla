----------------------------- MODULE LinkedQueue -----------------------------
(* The two-pointer lock-free queue (swing the tail, help others), one access *)
(* to shared memory per step.                                                *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Threads, Cells
Null == 0
Dummy == -1
VARIABLES head, tail, nxt, fresh, local, history
vars == <<head, tail, nxt, fresh, local, history>>

Idle == [pc |-> "idle"]
Init == /\ head = Dummy /\ tail = Dummy
        /\ nxt = [c \in Cells \cup {Dummy} |-> Null]
        /\ fresh = Cells
        /\ local = [t \in Threads |-> Idle]
        /\ history = [inn |-> <<>>, out |-> <<>>]

Is(t, l) == local[t].pc = l
Become(t, r) == local' = [local EXCEPT ![t] = r]

EnqStart(t) == /\ Is(t, "idle")
               /\ \E c \in fresh :
                    /\ \A d \in fresh : c <= d
                    /\ Become(t, [pc |-> "e1", cell |-> c])
                    /\ fresh' = fresh \ {c}
               /\ UNCHANGED <<head, tail, nxt, history>>
EnqReadTail(t) == /\ Is(t, "e1")
                  /\ Become(t, [local[t] EXCEPT !.pc = "e2"] )
                  /\ UNCHANGED <<head, tail, nxt, fresh, history>>
EnqLink(t) == /\ Is(t, "e2")
              /\ IF nxt[tail] = Null
                 THEN /\ nxt' = [nxt EXCEPT ![tail] = local[t].cell]
                      /\ history' = [history EXCEPT !.inn = Append(@, local[t].cell)]
                      /\ Become(t, [pc |-> "e3", seen |-> tail, cell |-> local[t].cell])
                      /\ UNCHANGED tail
                 ELSE /\ tail' = nxt[tail]
                      /\ Become(t, [local[t] EXCEPT !.pc = "e1"])
                      /\ UNCHANGED <<nxt, history>>
              /\ UNCHANGED <<head, fresh>>
EnqSwing(t) == /\ Is(t, "e3")
               /\ tail' = IF tail = local[t].seen THEN local[t].cell ELSE tail
               /\ Become(t, Idle)
               /\ UNCHANGED <<head, nxt, fresh, history>>
DeqRead(t) == /\ Is(t, "idle")
              /\ Become(t, [pc |-> "d1", h |-> head])
              /\ UNCHANGED <<head, tail, nxt, fresh, history>>
DeqTry(t) == /\ Is(t, "d1")
             /\ LET h == local[t].h
                    n == nxt[h]
                IN \/ h # head /\ Become(t, Idle) /\ UNCHANGED <<head, tail, history>>
                   \/ /\ h = head /\ h = tail /\ n = Null
                      /\ Become(t, Idle) /\ UNCHANGED <<head, tail, history>>
                   \/ /\ h = head /\ h = tail /\ n # Null
                      /\ tail' = n /\ UNCHANGED <<head, local, history>>
                   \/ /\ h = head /\ h # tail
                      /\ head' = n
                      /\ history' = [history EXCEPT !.out = Append(@, n)]
                      /\ Become(t, Idle)
                      /\ UNCHANGED tail
             /\ UNCHANGED <<nxt, fresh>>
Next == \E t \in Threads : \/ EnqStart(t) \/ EnqReadTail(t) \/ EnqLink(t) \/ EnqSwing(t)
                           \/ DeqRead(t) \/ DeqTry(t)
Spec == Init /\ [][Next]_vars
Prefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
Fifo == Prefix(history.out, history.inn)
===============================================================================
