---- MODULE ErrorSubSeq ----
\* SubSeq and sequence access beyond the end.
EXTENDS Naturals, Sequences
VARIABLE s
Init == s = <<1, 2, 3>>
Next == \/ s' = SubSeq(s, 1, 3) /\ Len(s) = 3
        \/ s' = SubSeq(s, 2, 4)
====
