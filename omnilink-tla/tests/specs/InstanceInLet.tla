---- MODULE InstanceInLet ----
(* Instances within LET, within actions and invariants; an instance of a module that has instances; labels. *)
EXTENDS Naturals
CONSTANT Limit
VARIABLES low, high
P == INSTANCE InstancesUnnamed WITH value <- low, other <- high
Init == low = 0 /\ high = "x"
Next == \/ LET C == INSTANCE Counter WITH value <- low, Bound <- Limit - 1
           IN  C!Next /\ UNCHANGED high
        \/ P!Step
Inv == LET C(b) == INSTANCE Counter WITH value <- low, Bound <- b
       IN  /\ C(Limit)!InBounds
           /\ P!InBounds
           /\ named:: (low <= Limit)
====
