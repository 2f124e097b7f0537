---- MODULE PassedOn ----
\* Arguments that were evaluated and are then passed on to an operator that primes them, and arguments that depend on the next
\* state and are used in several branches of it.
EXTENDS Naturals
VARIABLES x, y, z

Becomes(m) == m' = 1
Sum(m) == m + 1

EvaluatedThenPrimed(n) == n = 0 /\ x' = 1 /\ y' = n /\ Becomes(n) /\ z' = 10
Middle(n) == n < 5 /\ EvaluatedThenPrimed(n) /\ Becomes(n)
PrimedCall(n) == n = 0 /\ x' = 1 /\ y' = n /\ Sum(n)' = 2 /\ z' = 11
Both(n) == n = 0 /\ x' = 2 /\ Sum(n) + Sum(n)' = 4 /\ y' = n /\ z' = 12
WithLet(n) == LET m == n + n IN m = 0 /\ x' = 1 /\ m' = 2 /\ y' = m /\ z' = 13
LetPassedOn(n) == LET m == n + 0 IN m = 0 /\ x' = 1 /\ Becomes(m) /\ y' = m /\ z' = 14

\* Given when x' is known, used in two branches.
After(n) == n > 0 /\ (y' = n \/ y' = n + n) /\ z' = n + 20
\* Given before what it reads is assigned: another value in each branch.
Before(n) == (y' = 1 \/ y' = 2) /\ z' = n + 30 /\ n > 1
InLet == LET later == y' + x' IN x' \in {1, 2} /\ (y' = x' \/ y' = 0) /\ z' = later + 40 /\ later < 4
Twice(n) == \E d \in {0, 1} : y' = n + d /\ z' = 50 + n + y'
Inner(n, m) == y' = n /\ z' = m /\ Becomes(y) /\ m = n + 60
Outer(n) == n >= 1 /\ Inner(n, n + 60)

RECURSIVE Up(_, _)
Up(n, k) == n >= 0 /\ IF k = 0 THEN y' = n /\ z' = 70 ELSE Up(n + n, k - 1)
RECURSIVE UpLet(_, _)
UpLet(n, k) == LET m == n + n IN m >= 0 /\ IF k = 0 THEN y' = m % 7 /\ z' = 80 ELSE UpLet(m % 100, k - 1)

CanBe(n) == ENABLED (x' = n /\ UNCHANGED <<y, z>>) /\ x' = 1 /\ y' = n /\ z' = 90

Init == x = 0 /\ y = 0 /\ z = 0
Next ==
    /\ z = 0
    /\ \/ Middle(x + 0)
       \/ PrimedCall(x + 0)
       \/ Both(x + 0)
       \/ WithLet(x)
       \/ LetPassedOn(x)
       \/ x' \in {1, 2} /\ After(x' + 0)
       \/ x' \in {0, 1} /\ Before(x' + y')
       \/ InLet
       \/ x' \in {1, 2} /\ Twice(x' + 1)
       \/ x' = 1 /\ Outer(x' + 0)
       \/ x' = 1 /\ Up(x' + 0, 20)
       \/ x' = 1 /\ UpLet(x' + 1, 20)
       \/ CanBe(x + 1)
====
