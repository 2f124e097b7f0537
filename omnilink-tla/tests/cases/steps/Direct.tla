------------------------------- MODULE Direct -------------------------------
(***************************************************************************)
(* Actions whose arguments are all known, of every shape that running one  *)
(* from many states is laid out for, and of some that it is not.           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

VARIABLES x, y, log

vars == <<x, y, log>>

Small == 0..3

Init == x = 0 /\ y = 0 /\ log = <<>>

Note(n) == log' = IF Len(log) < 3 THEN Append(log, n) ELSE Tail(log)

\* Conditions that the arguments decide, before and after others.
Plain(n) == n # 2 /\ x + n < 6 /\ x' = x + n /\ UNCHANGED <<y, log>>
Either(n) ==
    IF n = 0
    THEN x' = 0 /\ UNCHANGED <<y, log>>
    ELSE x < 4 /\ (IF n = 1 THEN x' = x + 1 ELSE x' = n) /\ Note(n) /\ y' = y
Cases(n) ==
    /\ CASE n = 0 -> x' = 0
         [] n = 1 /\ x > 0 -> x' = x - 1
         [] OTHER -> x' = n
    /\ UNCHANGED <<y, log>>
\* For some arguments no arm is true, which is an error.
Lacking(n) == (CASE n < 2 -> x' = n [] n = 2 -> x' = x) /\ UNCHANGED <<y, log>>

\* Scopes inside of scopes, and what follows outside of them again.
Local(n) ==
    /\ LET twice == 2 * n
           Add(m) == twice + m + x
       IN /\ twice < 5
          /\ LET n3 == Add(n) IN x' = n3 % 7
          /\ y' = twice
    /\ log' = <<n, y, x>>
Set(v, e) == v' = e
Within(n) == n + y < 5 /\ y' = n
Parts(n, m) == Within(m) /\ Note(n) /\ x' = m
Renamed(n) == Set(x, n) /\ UNCHANGED <<y, log>>
Nested(n, m) == Parts(m, n) /\ n # m

\* Several outcomes.
Branches(n) ==
    /\ \/ x' = n
       \/ n > 1 /\ x' = x
       \/ \E m \in {x, n} : x' = m + 1 /\ m < 5
    /\ y' \in {n, y}
    /\ (y' = n \/ log = <<>>)
    /\ log' = log
Twice(n) == x' = n /\ y' = x' /\ y' = n /\ x' \in Small /\ UNCHANGED log
All(n) == (\A m \in 1..n : x + m < 7) /\ x' = x /\ Note(Cardinality({m \in Small : m < n})) /\ UNCHANGED y

\* One branch fails if the log is empty, and the others go on.
Fails(n) == (y' = n \/ y' = Head(log)) /\ UNCHANGED <<x, log>>
Stays(n) == UNCHANGED vars

Next ==
    \/ \E n \in Small : Plain(n) \/ Either(n) \/ Cases(n) \/ Local(n) \/ Renamed(n) \/ Branches(n) \/ Twice(n)
    \/ \E n \in Small : All(n) \/ Stays(n)
    \/ \E n, m \in Small : Parts(n, m) \/ Nested(n, m)
    \/ \E n \in Small : n < 3 /\ Lacking(n)
    \/ \E n \in Small : log # <<>> /\ Fails(n)
=============================================================================
