(***************************************************************************)
(* A box before the module.                                                *)
(***************************************************************************)
---- MODULE Comments ----
(***************************************************************************
A box (* with another one (* and a third *) *) inside, and \* a line inside.
 ***************************************************************************)
EXTENDS Naturals \* a comment behind
\*
(**)(***)
CONSTANT (* before a name *) N \* and behind
(* --algorithm Counter
variables x = 0;
begin
  Loop: while x < N do
    x := x + 1;
  end while;
end algorithm; *)
\* BEGIN TRANSLATION (chksum(pcal) = "1" /\ chksum(tla) = "2")
VARIABLES pc, x

vars == << pc, x >>

Init == (* Global variables *)
        /\ x = 0
        /\ pc = "Loop"

Loop == /\ pc = "Loop"
        /\ IF x < N
              THEN /\ x' = x + 1
                   /\ pc' = "Loop"
              ELSE /\ pc' = "Done"
                   /\ x' = x

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == Loop
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(pc = "Done")

\* END TRANSLATION
====
