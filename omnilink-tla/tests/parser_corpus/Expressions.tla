---- MODULE Expressions ----
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS S, T, U, f, g, r, P(_), Q(_, _)

Numbers == << 0, 1, 42, 007, 1234567890, \b101, \B11, \o17, \O7, \hFF, \Hcafe, 3.14, 0.5 >>

Strings == << "", "a", "two words", "quote \" backslash \\ tab \t newline \n return \r feed \f", "(* no comment *)", "\\* nor this" >>

Names == << S, Nat, TRUE, FALSE, BOOLEAN, STRING, P(1), Q(1, 2), Q(P(1), Q(2, 3)) >>

Digits1st == LET 2pc_x == 1
                 3a == 2
                 _x == 3
                 a_b_1 == 4
             IN  2pc_x + 3a + _x + a_b_1

Sets == << {}, {1}, {1, 2, 3}, {{}}, {x \in S : P(x)}, {<<x, y>> \in S \X T : x = y}, {P(x) : x \in S},
           {<<x, y>> : x \in S, y \in T}, {x + y : <<x, y>> \in S \X T, z \in U}, {x + y : x, y \in S},
           {x \in S : x \in T}, {(x \in S) : x \in T}, {{y \in S : y = x} : x \in S} >>

Functions == << [x \in S |-> x], [x, y \in S |-> x], [x \in S, y \in T |-> x], [<<x, y>> \in S |-> x],
                [x, y \in S, <<z, w>> \in T |-> x], [S -> T], [S \X T -> U], [S -> [T -> U]],
                f[1], f[1, 2], f[1][2], f[<<1, 2>>], f[g[1]], [x \in S |-> x][1], (f)[1], P(1)[2], "x"[1], {1}[1] >>

Records == << [a |-> 1], [a |-> 1, b |-> 2], [a : S], [a : S, b : T], r.a, r.a.b, r.a[1].b, f[1].a, [a |-> [b |-> 1]].a.b >>

Tuples == << <<>>, <<1>>, <<1, 2>>, <<<<1>>, <<2, <<3>>>>>>, <<1, 2>>[1] >>

Excepts == << [f EXCEPT ![1] = 2], [f EXCEPT ![1] = @ + 1, ![2] = @], [r EXCEPT !.a = 1], [r EXCEPT !.a.b = 1, !.c = @],
              [f EXCEPT ![1][2] = 3], [f EXCEPT ![1, 2] = 3], [f EXCEPT ![1].a[2].b = [@ EXCEPT !.c = @ + 1]],
              [f EXCEPT ![g[1]] = [x \in S |-> IF x = 1 THEN @ ELSE x]], [[f EXCEPT ![1] = 2] EXCEPT ![2] = 3] >>

Quantifiers == << \A x \in S : P(x), \E x \in S : P(x), \A x, y \in S : Q(x, y), \A x \in S, y \in T : Q(x, y),
                  \E <<x, y>> \in S \X T : Q(x, y), \A x, y \in S, <<u, v>> \in T, z \in U : P(x), \A x : P(x),
                  \E x, y : Q(x, y), \AA x : P(x), \EE x : P(x), \forall x \in S : \exists y \in T : Q(x, y),
                  \A x \in S : \E y \in T : \A z \in U : x = y /\ y = z, \A x \in {y \in S : P(y)} : P(x) >>

Choices == << CHOOSE x \in S : P(x), CHOOSE x : x \notin S, CHOOSE <<x, y>> \in S : x = y, CHOOSE <<x, y>> : x = y,
              CHOOSE x \in S : \A y \in S : x <= y >>

Conditionals == << IF P(1) THEN 1 ELSE 2, IF P(1) THEN IF P(2) THEN 1 ELSE 2 ELSE 3, IF P(1) THEN 1 ELSE IF P(2) THEN 2 ELSE 3,
                   CASE P(1) -> 1, CASE P(1) -> 1 [] P(2) -> 2, CASE P(1) -> 1 [] P(2) -> 2 [] OTHER -> 3,
                   CASE P(1) -> CASE P(2) -> 1 [] P(3) -> 2 [] OTHER -> 4 >>

Lets == << LET x == 1 IN x, LET x == 1 y == 2 IN x + y, LET F(x) == x G(x, H(_)) == H(x) IN G(1, F),
           LET fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1] IN fact[5],
           LET RECURSIVE F(_) F(x) == IF x = 0 THEN 0 ELSE F(x - 1) IN F(3), LET x == LET y == 1 IN y IN x,
           LET a ++ b == a + b IN 1 ++ 2, LET I == INSTANCE Naturals IN I!Nat >>

Lambdas == << Q(LAMBDA x : x + 1, 2), Q(LAMBDA x, y : x + y, LAMBDA z : z), P(LAMBDA x : \A y \in S : x = y) >>

OperatorArguments == << Q(+, 1), Q(1, -), Q(\cup, \in), Q(/\, TRUE), Q(\/, FALSE), Q(SUBSET, '), Q(-., =>), Q(\o, <<>>) >>

Labels == << l1 :: P(1), \A x \in S : l2(x) :: P(x), P(l3 :: 1) >>

Parentheses == << (1), ((1)), (1 + 2) * (3), (f[1])[2], (r).a, (\A x \in S : P(x)) /\ TRUE >>
====
