------------------------------- MODULE Bakery -------------------------------
(* The bakery with tickets that grow: a CONSTRAINT keeps the model finite.  *)
EXTENDS Naturals
CONSTANT N, Limit
Procs == 1..N
VARIABLES number, choosing, pc, todo
vars == <<number, choosing, pc, todo>>

(* Lexicographic order on tickets, as an infix operator over pairs. *)
p \prec q == p[1] < q[1] \/ (p[1] = q[1] /\ p[2] < q[2])

Maximum(S) == CHOOSE m \in S : \A n \in S : n <= m

Init == /\ number = [p \in Procs |-> 0]
        /\ choosing = [p \in Procs |-> FALSE]
        /\ pc = [p \in Procs |-> "out"]
        /\ todo = [p \in Procs |-> {}]

Doorway(p) == /\ pc[p] = "out"
              /\ choosing' = [choosing EXCEPT ![p] = TRUE]
              /\ pc' = [pc EXCEPT ![p] = "pick"]
              /\ UNCHANGED <<number, todo>>

Pick(p) == /\ pc[p] = "pick"
           /\ number' = [number EXCEPT ![p] = 1 + Maximum({number[q] : q \in Procs})]
           /\ choosing' = [choosing EXCEPT ![p] = FALSE]
           /\ todo' = [todo EXCEPT ![p] = Procs \ {p}]
           /\ pc' = [pc EXCEPT ![p] = "check"]

Check(p) == /\ pc[p] = "check"
            /\ \E q \in todo[p] :
                 /\ ~ choosing[q]
                 /\ \/ number[q] = 0
                    \/ <<number[p], p>> \prec <<number[q], q>>
                 /\ todo' = [todo EXCEPT ![p] = @ \ {q}]
            /\ UNCHANGED <<number, choosing, pc>>

Enter(p) == /\ pc[p] = "check" /\ todo[p] = {}
            /\ pc' = [pc EXCEPT ![p] = "cs"]
            /\ UNCHANGED <<number, choosing, todo>>

Leave(p) == /\ pc[p] = "cs"
            /\ pc' = [pc EXCEPT ![p] = "out"]
            /\ number' = [number EXCEPT ![p] = 0]
            /\ UNCHANGED <<choosing, todo>>

Next == \E p \in Procs : Doorway(p) \/ Pick(p) \/ Check(p) \/ Enter(p) \/ Leave(p)
Spec == Init /\ [][Next]_vars

TicketsBelowLimit == \A p \in Procs : number[p] <= Limit
Mutex == \A p, q \in Procs : p # q => ~(pc[p] = "cs" /\ pc[q] = "cs")
=============================================================================
