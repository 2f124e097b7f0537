--------------------------- MODULE GuardDisjunction ---------------------------
(* An action's disjunctions are alternatives, also when they are only guards:  *)
(* each true side is a successor of its own, and each side gets evaluated.     *)
EXTENDS Naturals, Sequences
VARIABLES n, s
Init == n = 0 /\ s = <<>>
Small(x) == x < 3 \/ x < 5 \/ x = 100
Count == Small(n) /\ n' = n + 1 /\ UNCHANGED s
Step == n' = n + 1 /\ UNCHANGED s
InBody == (LET small == Small(n) IN small) /\ Step
ForAll == (\A x \in {n, n + 1} : Small(x)) /\ Step
Witnesses == (\E x \in 1..4 : x # n) /\ n < 5 /\ Step
Branches == (IF n < 4 THEN Small(n) ELSE n = 4 \/ n < 5) /\ Step
Arms == (CASE n < 5 -> Small(n) [] n < 4 -> FALSE [] OTHER -> FALSE) /\ Step
Implied == n < 5 /\ (n < 4 => Small(n)) /\ Step
Boxed == n < 5 /\ [n < 3 \/ n < 4]_n /\ Step
Alternatives == Count \/ InBody \/ ForAll \/ Witnesses \/ Branches \/ Arms \/ Implied \/ Boxed

\* In these places the same guard is one boolean.
f[x \in 0..9] == x < 3 \/ x < 5
Negated == ~~Small(n) /\ Step
Condition == (IF Small(n) THEN TRUE ELSE FALSE) /\ Step
Antecedent == n < 5 /\ (Small(n) => TRUE) /\ Step
Equivalent == (Small(n) <=> TRUE) /\ Step
Equal == (Small(n) = TRUE) /\ Step
Applied == f[n] /\ n < 5 /\ Step
Filtered == n \in {x \in 0..4 : x < 2 \/ x < 5} /\ Step
Booleans == Negated \/ Condition \/ Antecedent \/ Equivalent \/ Equal \/ Applied \/ Filtered

\* The left side is true, the right side is an error.
HeadIsSmall == s = <<>> \/ Head(s) < 3
Careless == HeadIsSmall /\ n' = 1 - n /\ UNCHANGED s
Careful == ~~HeadIsSmall /\ n' = 1 - n /\ UNCHANGED s
===============================================================================
