---- MODULE Updates ----
(* Recognised point updates are equal to what they are written as. `Slow` is the same comprehension in a shape that is not
   recognised. *)
EXTENDS Integers, Sequences, TLC

Functions == {<<>>, <<5>>, [k \in {1, 3} |-> k], [k \in {2, 4} |-> 0], [k \in 0..3 |-> k + 1]}
Keys == 0..4
At(f, k) == f[k]

SlowInsert(f, x, v) == [k \in DOMAIN f \cup {x} |-> IF k = x THEN v ELSE At(f, k)]
SlowAbsent(f, x, v) == [k \in DOMAIN f \cup {x} |-> IF k \in DOMAIN f THEN At(f, k) ELSE v]
SlowRemove(f, x) == [k \in DOMAIN f \ {x} |-> At(f, k)]

ASSUME \A f \in Functions, x \in Keys : SlowInsert(f, x, 9) =
          [k \in DOMAIN f \cup {x} |-> IF k = x THEN 9 ELSE f[k]]
ASSUME \A f \in Functions, x \in Keys : SlowInsert(f, x, 9) =
          [k \in {x} \cup DOMAIN f |-> IF x = k THEN 9 ELSE (f[k])]
ASSUME \A f \in Functions, x \in Keys : SlowInsert(f, x, x + 1) =
          [k \in (DOMAIN f) \cup {x} |-> IF k # x THEN f[k] ELSE x + 1]
ASSUME \A f \in Functions, x \in Keys : SlowInsert(f, x, 9) = (x :> 9) @@ f
ASSUME \A f \in Functions, x \in Keys : SlowAbsent(f, x, 9) =
          [k \in DOMAIN f \cup {x} |-> IF k \in DOMAIN f THEN f[k] ELSE 9]
ASSUME \A f \in Functions, x \in Keys : SlowAbsent(f, x, 9) =
          [k \in DOMAIN f \cup {x} |-> IF k \notin DOMAIN f THEN 9 ELSE f[k]]
ASSUME \A f \in Functions, x \in Keys : SlowAbsent(f, x, 9) = f @@ x :> 9
ASSUME \A f \in Functions, x \in Keys : SlowRemove(f, x) = [k \in DOMAIN f \ {x} |-> f[k]]
ASSUME \A f \in Functions, x \in Keys : SlowRemove(f, x) = [k \in {j \in DOMAIN f : j # x} |-> f[k]]
ASSUME \A f \in Functions, x \in Keys : SlowRemove(f, x) = [k \in {j \in DOMAIN f : x # j} |-> f[k]]

\* Not the same function, or not at the same point: written as they are meant.
ASSUME LET f == <<1, 2>> g == <<3, 4>> IN [k \in DOMAIN f \cup {3} |-> IF k = 3 THEN 0 ELSE g[k]] = <<3, 4, 0>>
ASSUME LET f == <<1, 2>> IN [k \in DOMAIN f \cup {3} |-> IF k = 3 THEN k ELSE f[k]] = <<1, 2, 3>>
ASSUME LET f == <<1, 2, 3>> IN [k \in DOMAIN f \cup {3} |-> IF k = 2 THEN 0 ELSE f[k]] = <<1, 0, 3>>
ASSUME LET f == <<1, 2>> IN [k \in DOMAIN f \ {2} |-> f[3 - k]] = <<2>>

\* Nested places.
ASSUME LET r == [a |-> <<[b |-> <<7>>]>>]
       IN  [k \in DOMAIN r.a[1].b \cup {2} |-> IF k = 2 THEN 8 ELSE r.a[1].b[k]] = <<7, 8>>

ASSUME \A S \in SUBSET (1..3), x \in 1..4 : S \cup {x} = {y \in 1..4 : y \in S \/ y = x}
ASSUME \A S \in SUBSET (1..3), x \in 1..4 : {x} \cup S = {y \in 1..4 : y \in S \/ y = x}
ASSUME \A S \in SUBSET (1..3), x \in 1..4 : S \ {x} = {y \in S : y # x}
====
