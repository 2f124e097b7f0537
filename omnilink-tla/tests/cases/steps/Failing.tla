------------------------------ MODULE Failing ------------------------------
(***************************************************************************)
(* Actions that cannot be evaluated with some arguments, wholly or in one  *)
(* of their branches. From the initial state nothing else can happen.      *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLES x, log

Init == x = 0 /\ log = <<>>

Latest(n) == IF n = 0 THEN 0 ELSE Head(log)

Branch(n) == (x' = n \/ x' = Head(log) \/ x' = n + 1) /\ UNCHANGED log
Guarded(n) == Latest(n) = x /\ x' = n /\ UNCHANGED log
Deeper(n) == n < 3 /\ LET last == Latest(n) IN x' = last /\ log' = Append(log, last)
Lacking(n) == (CASE n < 2 -> x' = n [] n = 2 -> x' = x) /\ UNCHANGED log
Unassigned(n) == x' = n
Called(n) == Guarded(n - 1)
Other(n) == n = "none" /\ UNCHANGED <<x, log>>

Next == \E n \in Nat : Branch(n) \/ Guarded(n) \/ Deeper(n) \/ Lacking(n) \/ Unassigned(n) \/ Called(n) \/ Other(n)
=============================================================================
