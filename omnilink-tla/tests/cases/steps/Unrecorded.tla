------------------------------ MODULE Unrecorded ------------------------------
(* Actions whose arguments are hard to find when they were not recorded.        *)
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, f, log
vars == <<x, f, log>>
Ids == 1..3
Init == x \in 0..2 /\ f = [i \in Ids |-> i % 2] /\ log = <<>>

Keep == UNCHANGED <<f, log>>
Bounded(n) == n \in 0..4

\* Found by equations: directly, within tuples and records, turned around, through definitions and LET.
Equation(a) == a = x + 1 /\ Bounded(a) /\ x' = a /\ Keep
Turned(a) == x + 1 = a /\ x' = a % 4 /\ Keep
Pair(a, b) == <<a, b>> = <<x, f[1]>> /\ x' = b /\ Keep
Record(a, b) == [n |-> a, m |-> b] = [m |-> f[2], n |-> x] /\ x' = b /\ Keep
Same(a, b) == <<a, a>> = <<b, x>> /\ x' = 1 - x /\ Bounded(x') /\ Keep
Wrapped(a) == LET wanted == <<a>> IN wanted = <<x>> /\ x' = 0 /\ Keep
IsNow(a) == a = x
Through(a) == IsNow(a) /\ f' = [f EXCEPT ![1] = a % 2] /\ UNCHANGED <<x, log>>
Negated(a) == ~(a # x) /\ x' = 2 /\ Keep
Nested(a) == ((a = x /\ x > 0) \/ (a = f[1] /\ x = 0)) /\ x' = a % 2 /\ Keep
Contradiction(a) == a = x /\ a = x + 1 /\ x' = 0 /\ Keep
\* Found by membership, and by the value that an assignment gives.
Member(a) == a \in {x, f[2]} /\ x' = a /\ Keep
Filtered(a) == a \in {i \in Ids : f[i] = 1} /\ x' = a /\ Keep
Assigned(a) == x' = a /\ Bounded(a) /\ Keep
Chosen(a) == x' \in {a, 1} /\ a < 2 /\ Keep
After(a) == x' = (x + 1) % 4 /\ a = x' /\ Keep
\* Used before it is found; conditions that only later ones make harmless.
Late(a) == f[a] = 0 /\ a \in Ids /\ f' = [f EXCEPT ![a] = 1] /\ UNCHANGED <<x, log>>
Guarded(a) == 6 \div a > 2 /\ a # 0 /\ x' = a /\ Keep
Guard(a) == a # 0 /\ 6 \div a > 2 /\ x' = a /\ Keep
Either(a) == (IF a > x THEN x' = a ELSE x' = 0) /\ Keep
Cases(a) == (CASE a = x -> x' = 0 [] a < x -> x' = a [] OTHER -> x' = 3) /\ Keep
Whether(a, b) == b = (a \in DOMAIN f) /\ UNCHANGED vars
\* LET values of several unknowns, used in several branches.
Sum(a, b) == LET s == a + b
                 t == s * s
             IN (s = x \/ s = x + 1) /\ x' = t % 4 /\ Keep
Branches(a) == LET s == a * 2 IN (a = 1 \/ a = 2) /\ x' = s /\ Keep
Deep(a) == LET s == a
               t == s
           IN LET u == t + 1 IN /\ u = x + 1 /\ f' = [f EXCEPT ![2] = u % 2] /\ UNCHANGED <<x, log>>
Helper(p, q) == p + q
Operators(a) == LET Op(n) == Helper(n, a) IN Op(1) = Op(x) /\ x' = Op(0) % 3 /\ Keep
Folded(a) == LET RECURSIVE Down(_) Down(n) == IF n = 0 THEN a ELSE Down(n - 1)
             IN Down(3) = x /\ x' = (a + 1) % 3 /\ Keep
Quantified(a) == (\E i \in Ids : f[i] = a) /\ (\A i \in Ids : f[i] <= a) /\ x' = a /\ Keep
Inside(a) == \E i \in Ids : i = a + 1 /\ f[i] = 0 /\ f' = [f EXCEPT ![i] = 1] /\ UNCHANGED <<x, log>>
Enabling(a) == ENABLED Assigned(a) /\ a = x /\ UNCHANGED vars
Function(a) == LET g == [i \in Ids |-> i + a] IN g[1] = x + 1 /\ x' = g[2] % 4 /\ Keep
SetOf(a) == {a, x} = {x} /\ UNCHANGED vars
Subset(S) == S = {i \in Ids : f[i] = 0} /\ x' = Cardinality(S) /\ Keep
Unused(a, b) == x' = a /\ a < 2 /\ Keep
Append1(e) == Len(log) < 2 /\ log' = Append(log, e) /\ UNCHANGED <<x, f>>
Remove(e) == log # <<>> /\ e = Head(log) /\ log' = Tail(log) /\ UNCHANGED <<x, f>>
Set(v, e) == v' = e /\ Keep
Successor(n) == n < 4 /\ x' = n /\ Keep
Both(a) == (x' = a \/ x' = 0) /\ a < 2 /\ Keep
ForAll(a) == (\A i \in {1, 2} : f[i] # a \/ x' = a) /\ x' = a /\ Keep

Small == \E a \in 0..3 :
    \/ Equation(a) \/ Turned(a) \/ Wrapped(a) \/ Through(a) \/ Negated(a) \/ Nested(a) \/ Contradiction(a)
    \/ Member(a) \/ Filtered(a) \/ Assigned(a) \/ Chosen(a) \/ After(a)
    \/ Either(a) \/ Cases(a) \/ Branches(a) \/ Deep(a) \/ Operators(a) \/ Folded(a) \/ Quantified(a) \/ Inside(a)
    \/ Enabling(a) \/ Function(a) \/ SetOf(a) \/ Both(a) \/ ForAll(a)
    \/ \E b \in 0..3 : Pair(a, b) \/ Record(a, b) \/ Same(a, b) \/ Sum(a, b)
    \/ \E b \in {0, a} : Unused(b, a)
    \/ \E b \in BOOLEAN : Whether(a, b)
\* Ways with conditions, with sets that depend on other names, with expressions as arguments, and several to one action.
Ways == \/ \E a \in Ids : Late(a) \/ Guarded(a)
        \/ \E a \in 0..3 : Guard(a)
        \/ \E S \in SUBSET Ids : Subset(S)
        \/ \E e \in Ids, b \in {TRUE} : b /\ Append1(e)
        \/ \E e \in {log[i] : i \in DOMAIN log} : Remove(e)
        \/ \E e \in 0..2 : Set(x, e)
        \/ Successor(x + 1)
        \/ \E n \in 0..1 : \E m \in n..1 : Successor(n + m)
        \/ \E <<n, m>> \in {<<0, 1>>, <<1, 2>>} : m > x /\ Successor(m * 2 - n)
        \/ LET n == x IN \E m \in 0..n : IF m = 0 THEN Successor(m) ELSE Unused(m, n)
        \/ CASE x = 0 -> Successor(3) [] x = 1 -> \E n \in {2, 3} : Successor(n) [] OTHER -> Successor(0)
Next == Small \/ Ways
Bound == x \in 0..4
================================================================================
