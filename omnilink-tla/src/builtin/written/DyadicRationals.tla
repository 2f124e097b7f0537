---------------------------- MODULE DyadicRationals ----------------------------
\* Fractions whose denominators are powers of 2, as records of numerator and denominator in lowest terms.
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Fraction(numerator, denominator) == [num |-> numerator, den |-> denominator]

RECURSIVE LowestTerms(_, _)
LOCAL LowestTerms(numerator, denominator) ==
    IF numerator % 2 = 0 /\ denominator % 2 = 0 /\ denominator > 1
    THEN LowestTerms(numerator \div 2, denominator \div 2)
    ELSE Fraction(numerator, denominator)

RECURSIVE IsPowerOfTwo(_)
LOCAL IsPowerOfTwo(n) == n = 1 \/ (n > 1 /\ n % 2 = 0 /\ IsPowerOfTwo(n \div 2))

IsDyadicRational(r) == IsPowerOfTwo(r.den)

Zero == Fraction(0, 1)
One == Fraction(1, 1)

Add(p, q) ==
    IF p = Zero THEN q
    ELSE LET common == IF p.den >= q.den THEN p.den ELSE q.den
         IN LowestTerms(p.num * (common \div p.den) + q.num * (common \div q.den), common)

Half(p) == LowestTerms(p.num, p.den * 2)

PrettyPrint(p) ==
    IF p = Zero THEN "0" ELSE IF p = One THEN "1" ELSE ToString(p.num) \o "/" \o ToString(p.den)
===============================================================================
