--------------------------- MODULE InstancesUnnamed ---------------------------
(* Unnamed instance, with one explicit and one implicit substitution.           *)
CONSTANT Limit
VARIABLES value, other
INSTANCE Counter WITH Bound <- Limit
Start == Init /\ other = "x"
Step == \/ Next /\ UNCHANGED other
        \/ Jump(1) /\ other' = IF other = "x" THEN "y" ELSE "x"
===============================================================================
