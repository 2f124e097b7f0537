------------------------------ MODULE CaseActions ------------------------------
(* A vending machine: CASE, IF and LET around actions.                            *)
EXTENDS Integers
VARIABLES st, coins, cups
Init == st = "idle" /\ coins = 0 /\ cups = 2
Next ==
  CASE st = "idle"  -> \E c \in {1, 2} : /\ coins' = coins + c
                                         /\ st' = IF coins' >= 3 THEN "paid" ELSE "idle"
                                         /\ UNCHANGED cups
    [] st = "paid"  -> LET change == coins - 3
                           served == cups - 1
                       IN  IF cups > 0
                           THEN /\ cups' = served
                                /\ coins' = change
                                /\ st' = "serve"
                           ELSE st' = "refund" /\ UNCHANGED <<coins, cups>>
    [] st = "serve" -> \/ st' = "idle" /\ UNCHANGED <<coins, cups>>
                       \/ cups = 0 /\ st' = "fill" /\ UNCHANGED <<coins, cups>>
    [] OTHER        -> /\ st' = "idle"
                       /\ coins' = 0
                       /\ cups' = (CASE st = "fill" -> 2 [] st = "refund" -> cups)
TypeOK == /\ st \in {"idle", "paid", "serve", "refund", "fill"}
          /\ coins \in 0..4 /\ cups \in 0..2
=================================================================================
