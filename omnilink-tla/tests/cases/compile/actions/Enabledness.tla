---- MODULE Enabledness ----
(* ENABLED in actions and definitions, primes on expressions, disjunctions as conditions, implications that assign. *)
EXTENDS Integers
VARIABLES a, b
Inc(v, max) == v < max /\ v' = v + 1
StepA == Inc(a, 2) /\ UNCHANGED b
StepB == b < a /\ b' = b + 1 /\ UNCHANGED a
Sum == a + b
Blocked == ~ENABLED StepA /\ ~ENABLED (\E i \in 1..2 : b < i /\ a > i /\ b' = i /\ a' = a)
Small == a = 0 \/ a + b < 2
Init == a = 0 /\ (a = 0 => b \in {0, 1})
Next == \/ StepA
        \/ ENABLED StepA /\ StepB
        \/ Small /\ a' = 0 /\ b' \in {b, 0} /\ Sum' <= Sum
        \/ Blocked /\ a' = 0 /\ (a > 1 => b' = 0)
        \/ \E c \in {1, 2} : (c = a \/ c = b) /\ a' = a /\ b' = c
        \/ [b' = 0]_b /\ a' = b
Spec == Init /\ [][Next]_<<a, b>>
====
