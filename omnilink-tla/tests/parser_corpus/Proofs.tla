---- MODULE Proofs ----
EXTENDS Naturals, TLAPS
CONSTANT S
VARIABLE x
Init == x = 0
Next == x' = x + 1

THEOREM TRUE
THEOREM Named == x \in Nat
LEMMA Easy == 1 + 1 = 2 OBVIOUS
PROPOSITION Simple == \A n \in Nat : n >= 0
  PROOF BY SMT DEF Init
COROLLARY Short == 1 = 1
  BY Easy, Simple
AXIOM Assumed == 2 = 2
THEOREM Skipped == 1 = 1 OMITTED

USE DEF Init, Next
HIDE DEF Next

THEOREM Structured ==
  ASSUME NEW n \in Nat, NEW m, NEW CONSTANT k, NEW VARIABLE u, NEW STATE s, NEW ACTION A, NEW TEMPORAL F, NEW P(_),
         n > 0, m = n
  PROVE  n + m > 0
PROOF
  <1>1. n > 0
    BY DEF Init
  <1>2. ASSUME NEW i \in Nat, i > n PROVE i > 0
    <2>1. CASE i = 1
      OBVIOUS
    <2>2. CASE i > 1
      BY <2>2, <1>1
    <2>3. QED
      BY <2>1, <2>2
  <1> DEFINE a == n
             b(c) == c + a
             d[c \in Nat] == c
  <1> e == 1
  <1>3. SUFFICES n = n
    OBVIOUS
  <1>4. SUFFICES ASSUME n = 0 PROVE FALSE
    BY <1>1
  <1>5. PICK p \in Nat : p > n
    BY Isa
  <1>6. HAVE n > 0
  <1>7. TAKE q \in Nat
  <1>8. TAKE q, t
  <1>9. WITNESS 1, 2 \in Nat
  <1>10. a = b(1)
    BY DEFS a, b
  <1>11. @ = n
    PROOF OBVIOUS
  <1>12. USE <1>10 DEF a
  <1>13. HIDE MODULE Naturals
  <1>. INSTANCE Bags
  <1>a. QED
    BY ONLY <1>1, <1>2, <1>5!1, MODULE Naturals DEF Init, MODULE Proofs

THEOREM Safety == Init /\ [][Next]_x => [](x \in Nat)
<1>1. Init => x \in Nat BY DEF Init
<1>2. x \in Nat /\ [Next]_x => (x \in Nat)'
  <2> SUFFICES ASSUME x \in Nat, [Next]_x PROVE (x \in Nat)'
    OBVIOUS
  <2>1. CASE Next BY <2>1 DEF Next
  <2>2. CASE UNCHANGED x BY <2>2
  <2>q. QED BY <2>1, <2>2
<1>. QED BY <1>1, <1>2, PTL

After == 3
====
