------------------------------ MODULE Procedures ------------------------------
(* PlusCal in p-syntax: procedures, a stack, recursion, assertions.           *)
EXTENDS Integers, Sequences, TLC
CONSTANT Input
(*
--algorithm Procedures
variables result = [i \in 1..2 |-> 0], calls = 0;

procedure factorial(n)
variables below = 0;
begin
  enter:
    calls := calls + 1;
    if n = 0 then
      result[self] := 1;
      base: return;
    end if;
  recurse:
    below := n - 1;
  descend:
    call factorial(below);
  multiply:
    result[self] := result[self] * n;
    return;
end procedure;

process worker \in 1..2
begin
  start:
    call factorial(Input + self);
  check:
    assert result[self] \in {2, 6, 24};
end process;
end algorithm;
*)
\* BEGIN TRANSLATION PCal-a823dc76b0ca3b3f4ee2ab70e22c55d2
CONSTANT defaultInitValue
VARIABLES result, calls, pc, stack, n, below

vars == << result, calls, pc, stack, n, below >>

ProcSet == (1..2)

Init == (* Global variables *)
        /\ result = [i \in 1..2 |-> 0]
        /\ calls = 0
        (* Procedure factorial *)
        /\ n = [ self \in ProcSet |-> defaultInitValue]
        /\ below = [ self \in ProcSet |-> 0]
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> "start"]

enter(self) == /\ pc[self] = "enter"
               /\ calls' = calls + 1
               /\ IF n[self] = 0
                     THEN /\ result' = [result EXCEPT ![self] = 1]
                          /\ pc' = [pc EXCEPT ![self] = "base"]
                     ELSE /\ pc' = [pc EXCEPT ![self] = "recurse"]
                          /\ UNCHANGED result
               /\ UNCHANGED << stack, n, below >>

base(self) == /\ pc[self] = "base"
              /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
              /\ below' = [below EXCEPT ![self] = Head(stack[self]).below]
              /\ n' = [n EXCEPT ![self] = Head(stack[self]).n]
              /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
              /\ UNCHANGED << result, calls >>

recurse(self) == /\ pc[self] = "recurse"
                 /\ below' = [below EXCEPT ![self] = n[self] - 1]
                 /\ pc' = [pc EXCEPT ![self] = "descend"]
                 /\ UNCHANGED << result, calls, stack, n >>

descend(self) == /\ pc[self] = "descend"
                 /\ /\ n' = [n EXCEPT ![self] = below[self]]
                    /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "factorial",
                                                             pc        |->  "multiply",
                                                             below     |->  below[self],
                                                             n         |->  n[self] ] >>
                                                         \o stack[self]]
                 /\ below' = [below EXCEPT ![self] = 0]
                 /\ pc' = [pc EXCEPT ![self] = "enter"]
                 /\ UNCHANGED << result, calls >>

multiply(self) == /\ pc[self] = "multiply"
                  /\ result' = [result EXCEPT ![self] = result[self] * n[self]]
                  /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
                  /\ below' = [below EXCEPT ![self] = Head(stack[self]).below]
                  /\ n' = [n EXCEPT ![self] = Head(stack[self]).n]
                  /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
                  /\ calls' = calls

factorial(self) == enter(self) \/ base(self) \/ recurse(self)
                      \/ descend(self) \/ multiply(self)

start(self) == /\ pc[self] = "start"
               /\ /\ n' = [n EXCEPT ![self] = Input + self]
                  /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "factorial",
                                                           pc        |->  "check",
                                                           below     |->  below[self],
                                                           n         |->  n[self] ] >>
                                                       \o stack[self]]
               /\ below' = [below EXCEPT ![self] = 0]
               /\ pc' = [pc EXCEPT ![self] = "enter"]
               /\ UNCHANGED << result, calls >>

check(self) == /\ pc[self] = "check"
               /\ Assert(result[self] \in {2, 6, 24}, 
                         "Failure of assertion at line 32, column 5.")
               /\ pc' = [pc EXCEPT ![self] = "Done"]
               /\ UNCHANGED << result, calls, stack, n, below >>

worker(self) == start(self) \/ check(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in ProcSet: factorial(self))
           \/ (\E self \in 1..2: worker(self))
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION TLA-35917fee43fa9732e290013405759fc3
Correct == \A i \in 1..2 : pc[i] = "Done" => result[i] = (IF i = 1 THEN 2 ELSE 6)
===============================================================================
