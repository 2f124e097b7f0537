-------------------------------- MODULE Cell --------------------------------
CONSTANT Values
VARIABLE content
Write(value) == content' = value
Read(value) == content = value /\ UNCHANGED content
Access == \E value \in Values : Write(value) \/ Read(value)
=============================================================================
