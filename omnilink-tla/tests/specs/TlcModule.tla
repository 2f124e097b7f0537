------------------------------- MODULE TlcModule -------------------------------
(* What the module TLC offers, in constants and in actions.                       *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANT Proc
VARIABLES m, log
Abs(x, y) == IF x > y THEN x - y ELSE y - x
ASSUME /\ (1 :> "a" @@ 2 :> "b") = <<"a", "b">>
       /\ ("x" :> 1 @@ "x" :> 2).x = 1
       /\ [x |-> 1] @@ [y |-> 2] = [x |-> 1, y |-> 2]
       /\ Cardinality(Permutations({1, 2, 3})) = 6
       /\ \A p \in Permutations(Proc) : DOMAIN p = Proc /\ {p[q] : q \in Proc} = Proc
       /\ SortSeq(<<3, 1, 2>>, <) = <<1, 2, 3>>
       /\ SortSeq(<<3, 1, 2>>, LAMBDA a, b : a > b) = <<3, 2, 1>>
       /\ SortSeq(<<<<1, "b">>, <<0, "a">>>>, LAMBDA a, b : a[1] < b[1])[1][2] = "a"
       /\ ToString(12) \o "" = "12"
       /\ ToString(<<1, {2}, "s">>) = "<<1, {2}, \"s\">>"
       /\ Assert(TRUE, "never shown")
       /\ Print("printed once", TRUE)
       /\ PrintT(<<"also", Proc>>)
       /\ RandomElement({7}) = 7
       /\ TLCEval({x \in 1..3 : x > 1}) = {2, 3}
       /\ JavaTime \in Nat
       /\ TLCSet(1, "register") /\ TLCGet(1) = "register"
       /\ 5 \in Any /\ "x" \in Any
Init == m = << >> /\ log = "start"
Put(p) == /\ p \notin DOMAIN m
          /\ Assert(Cardinality(DOMAIN m) < 3, <<"too many", m>>)
          /\ m' = m @@ (p :> Cardinality(DOMAIN m))
          /\ log' = ToString(Cardinality(DOMAIN m'))
Drop == /\ m # <<>>
        /\ m' = <<>>
        /\ log' = "dropped " \o log
Next == (\E p \in Proc : Put(p)) \/ Drop
View == m
Inv == \A p \in DOMAIN m : m[p] \in 0..2
=================================================================================
