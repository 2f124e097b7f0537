----------------------------- MODULE ConstantsOnly -----------------------------
(* No behaviour: only assumptions about values.                                   *)
EXTENDS Integers, Sequences, FiniteSets, TLC
ASSUME /\ -7 \div 2 = -3 /\ (-7) \div 2 = -4 /\ -7 % 2 = 1 /\ 7 \div 2 = 3
       /\ 2^10 = 1024 /\ 3 - 5 = -2 /\ 4 \in Nat /\ -4 \in Int /\ -4 \notin Nat
       /\ 3..2 = {} /\ 1..3 = {3, 2, 1, 1}
ASSUME <<>> = [x \in {} |-> x] /\ <<1, 2>> = [i \in 1..2 |-> i] /\ [a |-> 1] = [x \in {"a"} |-> 1]
ASSUME [a |-> 1, b |-> 2] = [b |-> 2, a |-> 1] /\ [a |-> 1].a = [a |-> 1]["a"]
ASSUME DOMAIN <<5, 6>> = {1, 2} /\ DOMAIN [a |-> 1] = {"a"} /\ DOMAIN << >> = {}
ASSUME SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}} /\ UNION {{1}, {2, 3}} = 1..3 /\ {1, 2} \X {3} = {<<1, 3>>, <<2, 3>>}
ASSUME [{1, 2} -> {3}] = {<<3, 3>>} /\ Cardinality([1..3 -> {"a", "b"}]) = 8 /\ [{} -> {1}] = {<<>>} /\ [{1} -> {}] = {}
ASSUME [a : {1, 2}, b : {3}] = {[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}
ASSUME <<1, 2>> \in Seq(Nat) /\ [x \in 1..2 |-> x] \in [1..2 -> Nat] /\ {1, 2} \in SUBSET Nat /\ <<>> \in Seq({})
ASSUME [f |-> <<1>>] \in [f : Seq(Int)] /\ "abc" \in STRING /\ [x \in {1} |-> {<<2>>}] \in [{1} -> SUBSET Seq(Nat)]
ASSUME (CHOOSE x \in 3..9 : x % 4 = 0) = 4 /\ Len("abc") = 3 /\ "ab" \o "c" = "abc"
ASSUME \A x \in {} : FALSE
ASSUME ~ \E x \in {} : TRUE
ASSUME LET f[x \in 1..3] == x * x g == [f EXCEPT ![2] = 0] IN g = <<1, 0, 9>>
ASSUME (TRUE => FALSE) = FALSE /\ (FALSE <=> FALSE) /\ ~FALSE /\ (TRUE \equiv TRUE) /\ BOOLEAN = {TRUE, FALSE}
ASSUME IF {1} \subseteq {1, 2} THEN 1 \notin {2} ELSE FALSE
ASSUME (CASE FALSE -> 1 [] 1 = 1 -> 2) = 2
ASSUME Head(<<7, 8>>) = 7 /\ Tail(<<7, 8>>) = <<8>> /\ SubSeq(<<1, 2, 3, 4>>, 2, 3) = <<2, 3>>
ASSUME SubSeq(<<1>>, 2, 1) = <<>>
ASSUME "\"quoted\\\n\t" # "" /\ \b101 = 5 /\ \hFf = 255 /\ \o17 = 15 /\ 007 = 7
=================================================================================
