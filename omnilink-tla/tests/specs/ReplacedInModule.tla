---------------------------- MODULE ReplacedInModule ----------------------------
EXTENDS LibraryQueue
Two == 2
Init == queue = <<>>
Next == Pop \/ \E e \in Element : Push(e)
Short == Len(queue) <= Two
=================================================================================
