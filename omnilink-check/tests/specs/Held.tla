-------------------------------- MODULE Held --------------------------------
(* Calls whose inner steps tell their arguments. *)
EXTENDS Integers

VARIABLES v, w, busy

vars == <<v, w, busy>>

Init == v = 0 /\ w = 0 /\ busy = {1, 2}

\* The step tells the value by an equation.
Put_Step(x) == v' = x /\ UNCHANGED <<w, busy>>
Put_Done(x) == v # x /\ UNCHANGED vars

\* The same, and the end has to find what the step has put.
Keep_Step(x) == v' = x /\ UNCHANGED <<w, busy>>
Keep_Done(x) == v = x /\ w' = x /\ UNCHANGED <<v, busy>>

\* Nothing in the step depends on the value: only its bound in Next tells it, and that changes.
Lock_Step(x) == v < 2 /\ v' = v + 1 /\ UNCHANGED <<w, busy>>
Lock_Done(x) == v > 0 /\ w' = x /\ UNCHANGED <<v, busy>>
Only(set) == busy' = set /\ UNCHANGED <<v, w>>

\* Two arguments that depend on each other: Next passes y and y + 1.
Twin_Step(a, b) == v = 0 /\ v' = 1 /\ UNCHANGED <<w, busy>>
Twin_Done(a, b) == v = 1 /\ w' = 10 * a + b /\ UNCHANGED <<v, busy>>

\* A value from a set that cannot be listed, which nothing depends on until the end.
Late_Step(x) == v' = v + 1 /\ UNCHANGED <<w, busy>>
Late_Done(x) == w' = x /\ x = v /\ UNCHANGED <<v, busy>>

V(n) == v = n /\ UNCHANGED vars
W(n) == w = n /\ UNCHANGED vars

Next ==
    \/ \E x \in 1..2 : Put_Step(x) \/ Put_Done(x)
    \/ \E x \in 1..2 : Keep_Step(x) \/ Keep_Done(x)
    \/ \E x \in busy : Lock_Step(x) \/ Lock_Done(x)
    \/ \E set \in {{2}, {3}, {1, 3}, {2, 3}} : Only(set)
    \/ \E y \in 1..3 : Twin_Step(y, y + 1)
    \/ \E y \in 1..3, z \in 1..4 : Twin_Done(y, z)
    \/ \E x \in Nat : Late_Step(x)
    \/ \E x \in Int : Late_Done(x)
    \/ \E n \in 0..9 : V(n)
    \/ \E n \in 0..99 : W(n)
=============================================================================
