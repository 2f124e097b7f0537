---------------------------- MODULE BankTransfers ----------------------------
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Account, Start, Atomic
VARIABLES balance, transfer
Amounts == 1..2
Nothing == [stage |-> "none"]
Init == balance = [a \in Account |-> Start] /\ transfer = Nothing
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0
          ELSE LET a == CHOOSE a \in S : TRUE IN balance[a] + Sum(S \ {a})
Total == Sum(Account)
Move(from, to, n) ==
  /\ Atomic
  /\ from # to /\ balance[from] >= n
  /\ balance' = [balance EXCEPT ![from] = @ - n, ![to] = @ + n]
  /\ UNCHANGED transfer
Withdraw(from, to, n) ==
  /\ ~Atomic
  /\ transfer = Nothing
  /\ from # to /\ balance[from] >= n
  /\ balance' = [balance EXCEPT ![from] = @ - n]
  /\ transfer' = [stage |-> "inflight", to |-> to, n |-> n]
Deposit ==
  /\ transfer.stage = "inflight"
  /\ balance' = [balance EXCEPT ![transfer.to] = @ + transfer.n]
  /\ transfer' = Nothing
Next == Deposit \/ \E from, to \in Account, n \in Amounts : Move(from, to, n) \/ Withdraw(from, to, n)
Expected == Start * Cardinality(Account)
MoneyConserved == Total = Expected
NoOverdraft == \A a \in Account : balance[a] \in Nat
ConservedWithTransit == Total + (IF transfer = Nothing THEN 0 ELSE transfer.n) = Expected
===============================================================================
