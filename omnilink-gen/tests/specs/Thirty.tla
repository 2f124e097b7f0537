------------------------------- MODULE Thirty -------------------------------
\* Many actions.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Step1(n) == x' = n + 1
Step2(n) == x' = n + 2
Step3(n) == x' = n + 3
Step4(n) == x' = n + 4
Step5(n) == x' = n + 5
Step6(n) == x' = n + 6
Step7(n) == x' = n + 7
Step8(n) == x' = n + 8
Step9(n) == x' = n + 9
Step10(n) == x' = n + 10
Step11(n) == x' = n + 11
Step12(n) == x' = n + 12
Step13(n) == x' = n + 13
Step14(n) == x' = n + 14
Step15(n) == x' = n + 15
Step16(n) == x' = n + 16
Step17(n) == x' = n + 17
Step18(n) == x' = n + 18
Step19(n) == x' = n + 19
Step20(n) == x' = n + 20
Step21(n) == x' = n + 21
Step22(n) == x' = n + 22
Step23(n) == x' = n + 23
Step24(n) == x' = n + 24
Step25(n) == x' = n + 25
Step26(n) == x' = n + 26
Step27(n) == x' = n + 27
Step28(n) == x' = n + 28
Step29(n) == x' = n + 29
Step30(n) == x' = n + 30
Next == \E n \in 0..9:
    \/ Step1(n)
    \/ Step2(n)
    \/ Step3(n)
    \/ Step4(n)
    \/ Step5(n)
    \/ Step6(n)
    \/ Step7(n)
    \/ Step8(n)
    \/ Step9(n)
    \/ Step10(n)
    \/ Step11(n)
    \/ Step12(n)
    \/ Step13(n)
    \/ Step14(n)
    \/ Step15(n)
    \/ Step16(n)
    \/ Step17(n)
    \/ Step18(n)
    \/ Step19(n)
    \/ Step20(n)
    \/ Step21(n)
    \/ Step22(n)
    \/ Step23(n)
    \/ Step24(n)
    \/ Step25(n)
    \/ Step26(n)
    \/ Step27(n)
    \/ Step28(n)
    \/ Step29(n)
    \/ Step30(n)
=============================================================================
