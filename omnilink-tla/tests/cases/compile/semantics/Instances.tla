---- MODULE Instances ----
(* Every way to instantiate a module, in constant formulas that are all true. *)
EXTENDS Integers, Sequences, FiniteSets

---- MODULE Pair ----
CONSTANTS left, right, Join(_, _)
Joined == Join(left, right)
Swapped == Join(right, left)
With(third) == Join(Joined, third)
Fold(F(_, _), s) == F(F(left, right), s)
RECURSIVE Times(_)
Times(n) == IF n = 0 THEN left ELSE Join(Times(n - 1), right)
Table[n \in 0..3] == IF n = 0 THEN left ELSE Join(Table[n - 1], right)
LOCAL Hidden == left
Shown == Hidden
====

Plus(a, b) == a + b
left == 40
right == 2
Join(a, b) == a + b

Implicit == INSTANCE Pair
Explicit == INSTANCE Pair WITH left <- 3, right <- 4, Join <- Plus
Symbol == INSTANCE Pair WITH left <- 3, right <- 4, Join <- -
Mixed == INSTANCE Pair WITH left <- <<1>>, right <- <<2>>, Join <- \o
Given(x, y) == INSTANCE Pair WITH left <- x, right <- y + 1, Join <- Plus
Operator(Op(_, _)) == INSTANCE Pair WITH Join <- Op

ASSUME Implicit!Joined = 42
ASSUME Explicit!Joined = 7 /\ Explicit!With(5) = 12
ASSUME Symbol!Swapped = 1 /\ Symbol!Joined = -1
ASSUME Mixed!Swapped = <<2, 1>>
ASSUME Given(1, 1)!Joined = 3
ASSUME \A a \in 1..3 : Given(a, a + 1)!With(a) = 3 * a + 2
ASSUME Given(10, 0)!Times(3) = 13 /\ Given(10, 0)!Table[3] = 13
ASSUME Given(1, 2)!Fold(LAMBDA p, q : p * q, 5) = 15
ASSUME Given(1, 2)!Fold(+, 5) = 9
ASSUME Operator( - )!Joined = 38
ASSUME Operator(LAMBDA a, b : a * b)!With(2) = 160
ASSUME Implicit!Shown = 40

\* An instance inside of a LET may use the names bound around it.
Sum(s) == LET Here == INSTANCE Pair WITH left <- Head(s), right <- Len(s), Join <- Plus IN Here!Joined
ASSUME Sum(<<5, 6, 7>>) = 8
ASSUME \A n \in 1..4 : LET I(m) == INSTANCE Pair WITH left <- n, right <- m, Join <- Plus IN I(n * 10)!Swapped = 11 * n
ASSUME {LET J == INSTANCE Pair WITH left <- e, right <- e, Join <- Plus IN J!Times(2) : e \in {1, 2}} = {3, 6}
ASSUME LET f[n \in 0..2] == LET K == INSTANCE Pair WITH left <- n, right <- 1, Join <- Plus IN K!Joined
       IN  f = [n \in 0..2 |-> n + 1]

\* Instances of instances.
---- MODULE Outer ----
CONSTANT base
Plain(a, b) == a + b
Deep(d) == INSTANCE Pair WITH left <- base, right <- d, Join <- Plain
Both(x) == Deep(x)!Joined * 100 + Deep(x)!Times(2)
====
Wrapped(b) == INSTANCE Outer WITH base <- b
ASSUME Wrapped(7)!Deep(2)!Joined = 9
ASSUME Wrapped(7)!Both(3) = 1013
ASSUME \A q \in 1..2 : Wrapped(q)!Deep(q)!Fold(LAMBDA a, b : a + b + q, 1) = 3 * q + q + 1

\* Operators of instances as arguments.
Apply(F(_), x) == F(x)
ASSUME Apply(Explicit!With, 10) = 17
ASSUME \A k \in {5, 6} : LET L == INSTANCE Pair WITH left <- k, right <- 3, Join <- Plus IN Apply(L!With, 10) = 13 + k
ASSUME Apply(LAMBDA z : LET L == INSTANCE Pair WITH left <- z, right <- z, Join <- Plus IN Apply(L!With, z), 3) = 9

\* Without a name.
---- MODULE Constants ----
CONSTANT size
Twice == 2 * size
Thrice(n) == 3 * size + n
====
INSTANCE Constants WITH size <- 21
ASSUME Twice = 42 /\ Thrice(1) = 64
LOCAL INSTANCE FiniteSets
ASSUME Cardinality({1, 2}) = 2
====
