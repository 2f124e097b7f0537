------------------------------- MODULE Inventory -------------------------------
EXTENDS Naturals, FiniteSets, Bags
CONSTANTS Goods, MaxCount
VARIABLES shelf, cart
Init == shelf = [g \in Goods |-> MaxCount] /\ cart = EmptyBag
Take(g) == /\ BagIn(g, shelf)
           /\ cart' = cart (+) SetToBag({g})
           /\ shelf' = shelf (-) SetToBag({g})
PutBack == /\ cart # EmptyBag
           /\ shelf' = shelf (+) cart /\ cart' = EmptyBag
Next == PutBack \/ \E g \in Goods : Take(g)
Wrapped(g) == {g}
Inv == /\ IsABag(shelf) /\ IsABag(cart)
       /\ BagCardinality(shelf (+) cart) = MaxCount * Cardinality(Goods)
       /\ \A g \in Goods : CopiesIn(g, shelf) + CopiesIn(g, cart) = MaxCount
       /\ BagToSet(cart) \cup BagToSet(shelf) = Goods
       /\ cart \sqsubseteq BagUnion({shelf, cart})
       /\ cart \in SubBag(shelf (+) cart)
       /\ BagOfAll(Wrapped, cart) = [w \in {{g} : g \in BagToSet(cart)} |-> CopiesIn(CHOOSE g \in w : TRUE, cart)]
=================================================================================
