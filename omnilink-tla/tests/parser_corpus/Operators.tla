------------------------------ MODULE Operators ------------------------------
(* Every operator symbol, in every spelling, and how operators of different precedence group. *)
CONSTANTS a, b, c, d

Logic == << ~a, \lnot a, \neg a, a /\ b, a \land b, a \/ b, a \lor b, a => b, a <=> b, a \equiv b >>

Temporal == << [] a, <> a, a ~> b, a -+-> b, ENABLED a, UNCHANGED a, a \cdot b >>

Relations == << a = b, a # b, a /= b, a < b, a > b, a <= b, a =< b, a \leq b, a >= b, a \geq b, a \in b, a \notin b,
                a \subseteq b, a \subset b, a \supseteq b, a \supset b, a \sqsubseteq b, a \sqsubset b,
                a \sqsupseteq b, a \sqsupset b, a \prec b, a \succ b, a \preceq b, a \succeq b, a \ll b, a \gg b,
                a \sim b, a \simeq b, a \approx b, a \cong b, a \asymp b, a \doteq b, a \propto b, a |- b, a |= b,
                a -| b, a =| b, a := b, a ::= b >>

Sets == << SUBSET a, UNION a, DOMAIN a, a \cup b, a \union b, a \cap b, a \intersect b, a \ b, a \X b, a \times b,
           a \uplus b, a \sqcap b, a \sqcup b >>

Arithmetic == << -a, a + b, a - b, a * b, a / b, a \div b, a % b, a ^ b, a .. b, a ... b, a ++ b, a -- b, a ** b,
                 a // b, a %% b, a ^^ b, a \oplus b, a (+) b, a \ominus b, a (-) b, a \odot b, a (.) b, a \oslash b,
                 a (/) b, a \otimes b, a (\X) b >>

Others == << a @@ b, a :> b, a <: b, a \o b, a \circ b, a \bullet b, a \star b, a \bigcirc b, a \wr b, a | b, a || b,
             a & b, a && b, a $ b, a $$ b, a ## b, a !! b, a ?? b >>

Postfix == << a', a^+, a^*, a^#, a'', a'^+ >>

Grouping == <<
    a + b * c, a * b + c, a - b - c, a - b + c, a + b - c, -a + b, -a * b, -a ^ b, a + -b, - - a,
    a = b + c, a + b = c + d, a \in b \cup c, a \cup b \cup c, a .. b + c, a + b .. c,
    ~a /\ b, ~a = b, ~ ~a, a = ~b, a /\ b /\ c, a \/ b \/ c, a /\ b => c, a => b /\ c, a = b /\ c # d,
    a => b \/ c, a <=> b /\ c, a <=> b => c, [] a /\ b, [] <> a, <> [] a => b, [] ENABLED a,
    SUBSET a \cup b, DOMAIN a \cup b, UNION SUBSET a, DOMAIN DOMAIN a, - DOMAIN a, DOMAIN -a,
    a @@ b @@ c, a :> b @@ c :> d, a \o b \o c, a * b * c, a ^ b', -a', -a.f, a.f + b, a' + b', a'[b], a[b]', a.f',
    a \X b \X c, a \X (b \X c), (a \X b) \X c, a \X b \cup c, (a + b) * c, a * (b + c), (a = b) = c,
    a \in DOMAIN b, a = DOMAIN b \cap c, a /\ \E x \in b : x = c \/ x = d, a = IF b THEN c ELSE d + 1,
    a + b \div c, a % b * c, a - b \div c - d, a \ b = c, a \cap b \subseteq c >>

Spacing == << a+b, a=b, a'=b, a\b, a\in b, a/\b, a\/b, a=>b, -a+b, a..b, 1..2, a.f.g, a.f[1].g, a\cup b >>
=============================================================================
