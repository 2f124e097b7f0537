------------------------------- MODULE KvWalk -------------------------------
EXTENDS KvBench, Positions

Happen(event) ==
    CASE event.op = "KVGet" -> KVGet(event.key, event.text)
      [] event.op = "KVPut" -> KVPut(event.key, event.text)
      [] event.op = "KVAppend" -> KVAppend(event.key, event.text)

Start == Init /\ AtStart

Walk == \E lane \in Viable : Happen(NextEvent(lane)) /\ Advance(lane)

Stand == UNCHANGED <<kv, at>>
=============================================================================
