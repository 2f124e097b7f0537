--------------------------- MODULE TerminationRing ---------------------------
(* A token travels round a ring of machines and finds out whether all are    *)
(* passive. Waking another machine stains the one that did it.               *)
EXTENDS Naturals
CONSTANT N
ASSUME RingHasTwo == N \in Nat /\ N >= 2
Node == 0 .. N-1
Color == {"white", "black"}
VARIABLES active, stain, token
vars == <<active, stain, token>>
TypeOK == /\ active \in [Node -> BOOLEAN]
          /\ stain \in [Node -> Color]
          /\ token \in [at : Node, color : Color]
Init == /\ active \in [Node -> BOOLEAN]
        /\ stain \in [Node -> Color]
        /\ token = [at |-> 0, color |-> "black"]
InitiateProbe ==
  /\ token.at = 0
  /\ token.color = "black" \/ stain[0] = "black"
  /\ token' = [at |-> N - 1, color |-> "white"]
  /\ stain' = [stain EXCEPT ![0] = "white"]
  /\ UNCHANGED active
PassToken(i) ==
  /\ token.at = i
  /\ ~ active[i] \/ stain[i] = "black" \/ token.color = "black"
  /\ token' = [token EXCEPT !.at = @ - 1,
                            !.color = IF stain[i] = "black" THEN "black" ELSE @]
  /\ stain' = [stain EXCEPT ![i] = "white"]
  /\ UNCHANGED active
Wake(i) ==
  /\ active[i]
  /\ \E j \in Node \ {i} :
       /\ active' = [active EXCEPT ![j] = TRUE]
       /\ stain' = [stain EXCEPT ![i] = IF j > i THEN "black" ELSE @]
  /\ UNCHANGED token
Sleep(i) == /\ active[i]
            /\ active' = [active EXCEPT ![i] = FALSE]
            /\ UNCHANGED <<stain, token>>
Control == InitiateProbe \/ \E i \in Node \ {0} : PassToken(i)
Environment == \E i \in Node : Wake(i) \/ Sleep(i)
Next == Control \/ Environment
Spec == Init /\ [][Next]_vars /\ WF_vars(Control)

Detected == token.at = 0 /\ token.color = "white" /\ stain[0] = "white" /\ ~active[0]
Sound == Detected => \A i \in Node : ~active[i]
TooStrong == (token.at = 0 /\ token.color = "white") => \A i \in Node : ~active[i]
===============================================================================
