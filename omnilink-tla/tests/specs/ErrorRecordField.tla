---- MODULE ErrorRecordField ----
\* Messages without the field that is asked for.
VARIABLE msgs, got
Init == msgs = {[type |-> "ping"], [type |-> "pong", from |-> 1]} /\ got = 0
Next == \E m \in msgs : m.type = "ping" /\ got' = m.from /\ UNCHANGED msgs
====
