----------------------------- MODULE BagsTheorems -----------------------------
\* What the theorems of this module are about besides bags.
EXTENDS Bags
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

Scaling(n, B) == IF n > 0 THEN [element \in DOMAIN B |-> n * B[element]] ELSE EmptyBag
SeqToBag(sequence) ==
    [element \in {sequence[at] : at \in DOMAIN sequence} |->
        Cardinality({at \in DOMAIN sequence : sequence[at] = element})]
===============================================================================
