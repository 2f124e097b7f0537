---- MODULE Junctions ----
\* Lists by bullets: what belongs to which item is decided by columns alone.
CONSTANTS a, b, c, d, e, f(_), S

One == /\ a

Two == /\ a
       /\ b

Nested == /\ \/ a
             \/ /\ b
                /\ c
          /\ d

OnOneLine == /\ a /\ b
             /\ c \/ d
             /\ e

Infix == a /\ b /\ c
Across == a
   /\ b
 /\ c
Mixed == a /\ /\ b
              /\ c
Inside == (/\ a
           /\ b) => c
Followed == /\ a
            /\ b
            => c
Left == \/ a
        \/ /\ b
           /\ c
        => d
Shifted == /\ a
             /\ b
OtherBullet == /\ a
               /\ b
               \/ c
Word == /\ a
        /\ b
        \land c
Deep == /\ \A x \in S : /\ x = a
                        /\ \E y \in S : \/ y = x
                                        \/ y = b
        /\ IF a THEN /\ b
                     /\ c
           ELSE \/ d
                \/ e
        /\ LET x == /\ a
                    /\ b
               y == c
           IN  /\ x
               /\ y
        /\ CASE a -> /\ b
                     /\ c
             [] d -> e
        /\ f(/\ a
             /\ b
             )
        /\ {x \in S : \/ x = a
                      \/ x = b}
        /\ [x \in S |-> /\ a
                        /\ x]
        /\ a = b
           + c
        /\ ~ \/ a
             \/ b
Implication == a => /\ b
                    /\ c
Prefix == [] /\ a
             /\ b
	
Tabs == /\ a
	/\ b
        /\ c
TabInside ==
	/\ a
	/\	\/ b
		\/ c
        /\ d
Comments == /\ a \* the first
            (* between
     the lines *)
            /\ b
(* left of it *) \* and again
            /\ c
====
