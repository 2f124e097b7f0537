-------------------------------- MODULE Cases -------------------------------
(* Actions that change something or not depending on their arguments, and ones that only seem not to. *)
EXTENDS Naturals

VARIABLES members, cell

vars == <<members, cell>>

Init == members = {} /\ cell = 0

TryInsert(elem, result) ==
    IF result = 0
    THEN elem \in members /\ UNCHANGED vars
    ELSE elem \notin members /\ members' = members \cup {elem} /\ UNCHANGED cell

TryRemove(elem, result) ==
    CASE result = 0 -> elem \notin members /\ UNCHANGED vars
      [] result = 1 -> elem \in members /\ members' = members \ {elem} /\ UNCHANGED cell

Contains(elem, result) == result = (IF elem \in members THEN 1 ELSE 0) /\ members' = members /\ cell' = cell

Set(value) == cell' = value /\ UNCHANGED members

Load(value) == cell = value /\ UNCHANGED vars

Touch(value) ==
    \/ value = 0 /\ UNCHANGED vars
    \/ value # 0 /\ cell' = value /\ UNCHANGED members

Ensure(value) == (IF cell = value THEN UNCHANGED cell ELSE cell' = value) /\ UNCHANGED members

Replace(value) == cell' = (IF value = 0 THEN cell ELSE value) /\ UNCHANGED members

Next ==
    \/ \E elem \in 1..2, result \in 0..1 : TryInsert(elem, result) \/ TryRemove(elem, result) \/ Contains(elem, result)
    \/ \E value \in 0..2 : Set(value) \/ Load(value) \/ Touch(value) \/ Ensure(value) \/ Replace(value)
=============================================================================
