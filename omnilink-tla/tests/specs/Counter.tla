------------------------------- MODULE Counter -------------------------------
(* To be instantiated: a constant, a variable, a LOCAL operator.              *)
LOCAL INSTANCE Naturals
CONSTANT Bound
VARIABLE value
ASSUME Bound = 12345   \* not checked for instances
LOCAL Double(n) == n + n
Init == value = 0
Up == value < Bound /\ value' = value + 1
Reset == value > 0 /\ value' = 0
Jump(n) == value + Double(n) <= Bound /\ value' = value + Double(n)
Next == Up \/ Reset
InBounds == value <= Bound
==============================================================================
