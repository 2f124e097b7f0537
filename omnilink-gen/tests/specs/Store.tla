------------------------------- MODULE Store -------------------------------
\* No configuration, no values of constants, and a relation with another name.
CONSTANTS Keys, Values
VARIABLE data

Begin == data = [k \in Keys |-> CHOOSE v \in Values : TRUE]

Put(key, value) == data' = [data EXCEPT ![key] = value]
Delete(key) == data' = [k \in DOMAIN data \ {key} |-> data[k]]
Crash == data' = <<>>

Clients == \E key \in Keys : Delete(key) \/ \E value \in Values : Put(key, value)
World == Clients \/ Crash
=============================================================================
