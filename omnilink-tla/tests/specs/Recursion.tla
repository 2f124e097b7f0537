------------------------------- MODULE Recursion -------------------------------
(* RECURSIVE operators (also mutual, also higher-order), recursive functions      *)
(* (also in LET, also of several arguments).                                      *)
EXTENDS Integers, Sequences, FiniteSets
VARIABLES n, list
RECURSIVE Fact(_)
Fact(k) == IF k = 0 THEN 1 ELSE k * Fact(k - 1)
RECURSIVE IsEven(_), IsOdd(_)
IsEven(k) == IF k = 0 THEN TRUE ELSE IsOdd(k - 1)
IsOdd(k) == IF k = 0 THEN FALSE ELSE IsEven(k - 1)
RECURSIVE Fold(_, _, _)
Fold(op(_, _), acc, s) == IF s = <<>> THEN acc ELSE Fold(op, op(acc, Head(s)), Tail(s))
RECURSIVE Gcd(_, _)
Gcd(a, b) == IF b = 0 THEN a ELSE Gcd(b, a % b)
fib[k \in Nat] == IF k < 2 THEN k ELSE fib[k - 1] + fib[k - 2]
ack[i \in 0..2, j \in Nat] == CASE i = 0 -> j + 1
                                [] i > 0 /\ j = 0 -> ack[i - 1, 1]
                                [] OTHER -> ack[i - 1, ack[i, j - 1]]
binom[<<a, b>> \in Nat \X Nat] == IF b = 0 \/ a = b THEN 1 ELSE binom[<<a-1, b-1>>] + binom[<<a-1, b>>]
SubsetSums(S) ==
  LET RECURSIVE Sum(_)
      Sum(T) == IF T = {} THEN 0 ELSE LET x == CHOOSE x \in T : TRUE IN x + Sum(T \ {x})
  IN  {Sum(T) : T \in SUBSET S}
Reverse(s) == LET r[i \in 0..Len(s)] == IF i = 0 THEN <<>> ELSE <<s[i]>> \o r[i - 1]
              IN  r[Len(s)]
Sorted(s) ==
  LET RECURSIVE Insert(_, _)
      Insert(x, t) == IF t = <<>> THEN <<x>>
                      ELSE IF x <= Head(t) THEN <<x>> \o t
                      ELSE <<Head(t)>> \o Insert(x, Tail(t))
      RECURSIVE Sort(_)
      Sort(t) == IF t = <<>> THEN <<>> ELSE Insert(Head(t), Sort(Tail(t)))
  IN  Sort(s)
ASSUME /\ Fact(10) = 3628800
       /\ IsEven(10) /\ ~IsEven(7)
       /\ Fold(LAMBDA a, b : a * 10 + b, 0, <<1, 2, 3>>) = 123
       /\ Gcd(84, 36) = 12
       /\ fib[20] = 6765
       /\ ack[2, 3] = 9
       /\ binom[<<6, 3>>] = 20
       /\ SubsetSums({1, 2, 4}) = 0..7
       /\ Reverse(<<1, 2, 3>>) = <<3, 2, 1>>
       /\ Sorted(<<3, 1, 2, 1>>) = <<1, 1, 2, 3>>
Init == n = 0 /\ list = <<>>
Next == /\ n < 4
        /\ n' = n + 1
        /\ \E x \in 0..n : list' = Sorted(Append(list, (x * Fact(n)) % 7))
Inv == /\ Len(list) = n /\ list = Sorted(Reverse(list))
       /\ Fold(LAMBDA a, b : a + b, 0, list) = Fold(LAMBDA a, b : b + a, 0, Reverse(list))
=================================================================================
