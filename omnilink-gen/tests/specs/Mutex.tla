------------------------------- MODULE Mutex -------------------------------
EXTENDS Naturals, TLC

(* --algorithm Mutex
variable lock = FALSE;
process Proc \in 1..3
begin
  acquire: await ~lock; lock := TRUE;
  critical: skip;
  release: lock := FALSE;
end process
end algorithm *)
\* BEGIN TRANSLATION
VARIABLES lock, pc

vars == << lock, pc >>

ProcSet == (1..3)

Init == (* Global variables *)
        /\ lock = FALSE
        /\ pc = [self \in ProcSet |-> "acquire"]

acquire(self) == /\ pc[self] = "acquire"
                 /\ ~lock
                 /\ lock' = TRUE
                 /\ pc' = [pc EXCEPT ![self] = "critical"]

critical(self) == /\ pc[self] = "critical"
                  /\ TRUE
                  /\ pc' = [pc EXCEPT ![self] = "release"]
                  /\ lock' = lock

release(self) == /\ pc[self] = "release"
                 /\ lock' = FALSE
                 /\ pc' = [pc EXCEPT ![self] = "Done"]

Proc(self) == acquire(self) \/ critical(self) \/ release(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in 1..3: Proc(self))
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")
\* END TRANSLATION
=============================================================================
