This text stands before the module and is not part of it. == /\ \/ (* nor this
VARIABLE x
    ------------------------------ MODULE Comments --------------------------------
(* A block comment (* with another one (* and a third *) inside *) of it. *)
EXTENDS Naturals \* a line comment with (* an opening that opens nothing
, (* between the names *) Sequences
(**************************************************************************)
(* A boxed comment, where " is no string and (* nests *) as ever.         *)
(**************************************************************************)
VARIABLES (* first *) x, \* and
          y  (* second *)
-------------------------------------------------------------------------------
(* --looks like an algorithm but is none *)
Init == (* here *) x = 0 (* and *) /\ (* there *) y = "(* not a comment *) \\* neither"
--------------------
Next == \* an action
  /\ \* with a comment behind the bullet
     x < 3 (* and a block
              over several
 /\ FALSE
              lines *)
  /\ x' = x + (* one *) 1
  (* between the conjuncts *)
  /\ y' = y
\* A last comment. (*
Inv == x \in 0..3 (*{}*) /\ y # ""
THEOREM (* proofs are skipped *) Init => Inv
<1>1. Init => x = 0
  BY DEF Init
<1>2. QED
  <2>1. SUFFICES ASSUME Init PROVE Inv
    OBVIOUS
  <2> QED BY <1>1, <2>1
LEMMA Named == TRUE
PROOF OMITTED
===============================================================================
This text stands behind the module. ---- MODULE NotHere ---- x == y ====
