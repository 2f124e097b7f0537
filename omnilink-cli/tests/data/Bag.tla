---- MODULE Bag ----
EXTENDS Naturals
CONSTANT Elems
VARIABLE bag
Init == bag = {}
Add(elem) == bag' = bag \cup {elem}
Next == \E elem \in Elems : Add(elem)
====
