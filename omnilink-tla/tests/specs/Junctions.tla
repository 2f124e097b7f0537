---- MODULE Junctions ----
EXTENDS Naturals
VARIABLES a, b
Init ==
	/\ a = 0
	/\ b \in {0, 1}
\* A tab stands for the spaces up to the next multiple of eight.
Up ==
	/\ \/ a < 2
           \/ b = 1
	/\ a < 4
        /\ a' = a + 1
	/\ b' = b
Down ==   /\ a > 0
	  /\    \/ b = 0 /\ a' = a - 1
		\/ /\ b = 1
		   /\ a' = 0
          /\ b' = IF a' = 0 THEN 1 - b
    		   ELSE b
Flat == /\ a = 4 /\ a' = 1 /\ b' = 0
Nested == \/ /\ a = 1
             /\ \/ \E v \in {2, 3} : /\ a' = v
                                     /\ v # 3 \/ b = 1
                \/ a' = 0
             /\ UNCHANGED b
          \/ /\ a = 2 => FALSE
             /\ a = 1
             /\ LET c == a
                IN /\ a' = c
                   /\ b' = c % 2
Next == Up \/ Down
        \/ Flat
        \/ Nested
Odd == a % 2 = 1
Inv == /\ a \in 0..4
       /\ b \in 0..1
       /\ \A i \in {a} :
             \/ i = 0
             \/ i > 0
       /\ (\/ TRUE
           \/ FALSE)
       /\ Odd =>
          \/ a = 1
          \/ a = 3
       /\ ~ \/ a = 5
            \/ a = 6
====
