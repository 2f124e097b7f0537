---- MODULE ErrorNotASet ----
EXTENDS Integers
VARIABLE s
Init == s = {}
Next == s' = s \cup 5
====
