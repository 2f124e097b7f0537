--------------------------- MODULE TwoPhaseCommit ---------------------------
(***************************************************************************)
(* A coordinator asks every participant to vote, collects the votes and    *)
(* announces the decision. Messages are a growing set: whatever was sent   *)
(* can be received later, and more than once.                              *)
(***************************************************************************)
CONSTANT RM

VARIABLES
  rmState,     \* what each participant thinks
  tmState,     \* "collecting", then the decision
  tmPrepared,  \* who has voted yes, as far as the coordinator knows
  msgs

vars == <<rmState, tmState, tmPrepared, msgs>>

Vote     == [type : {"prepared"}, rm : RM]
Decision == [type : {"commit", "abort"}]
Message  == Vote \cup Decision

TypeOK ==
  /\ rmState \in [RM -> {"working", "prepared", "committed", "aborted"}]
  /\ tmState \in {"collecting", "committed", "aborted"}
  /\ tmPrepared \subseteq RM
  /\ msgs \subseteq Message

Init ==
  /\ rmState = [r \in RM |-> "working"]
  /\ tmState = "collecting"
  /\ tmPrepared = {}
  /\ msgs = {}

TMReceiveVote(r) ==
  /\ tmState = "collecting"
  /\ [type |-> "prepared", rm |-> r] \in msgs
  /\ tmPrepared' = tmPrepared \cup {r}
  /\ UNCHANGED <<rmState, tmState, msgs>>

TMCommit ==
  /\ tmState = "collecting"
  /\ tmPrepared = RM
  /\ tmState' = "committed"
  /\ msgs' = msgs \cup {[type |-> "commit"]}
  /\ UNCHANGED <<rmState, tmPrepared>>

TMAbort ==
  /\ tmState = "collecting"
  /\ tmState' = "aborted"
  /\ msgs' = msgs \cup {[type |-> "abort"]}
  /\ UNCHANGED <<rmState, tmPrepared>>

RMPrepare(r) ==
  /\ rmState[r] = "working"
  /\ rmState' = [rmState EXCEPT ![r] = "prepared"]
  /\ msgs' = msgs \cup {[type |-> "prepared", rm |-> r]}
  /\ UNCHANGED <<tmState, tmPrepared>>

RMChooseToAbort(r) ==
  /\ rmState[r] = "working"
  /\ rmState' = [rmState EXCEPT ![r] = "aborted"]
  /\ UNCHANGED <<tmState, tmPrepared, msgs>>

RMLearn(r, kind, outcome) ==
  /\ [type |-> kind] \in msgs
  /\ rmState' = [rmState EXCEPT ![r] = outcome]
  /\ UNCHANGED <<tmState, tmPrepared, msgs>>

Next ==
  \/ TMCommit \/ TMAbort
  \/ \E r \in RM :
       \/ TMReceiveVote(r)
       \/ RMPrepare(r)
       \/ RMChooseToAbort(r)
       \/ RMLearn(r, "commit", "committed")
       \/ RMLearn(r, "abort", "aborted")

Spec == Init /\ [][Next]_vars

Consistent ==
  \A r1, r2 \in RM : ~ (rmState[r1] = "aborted" /\ rmState[r2] = "committed")

THEOREM Spec => [](TypeOK /\ Consistent)
=============================================================================
