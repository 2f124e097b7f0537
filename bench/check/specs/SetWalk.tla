------------------------------ MODULE SetWalk ------------------------------
EXTENDS SetBench, Positions

Happen(event) ==
    CASE event.op = "KVInsert" -> KVInsert(event.key, event.value, event.result)
      [] event.op = "KVInsertIfAbsent" -> KVInsertIfAbsent(event.key, event.value, event.result)
      [] event.op = "KVErase" -> KVErase(event.key, event.result)
      [] event.op = "KVContains" -> KVContains(event.key, event.result)
      [] event.op = "KVRangeQuery" -> KVRangeQuery(event.lo, event.hi, event.count)

Start == Init /\ AtStart

Walk == \E lane \in Viable : Happen(NextEvent(lane)) /\ Advance(lane)

Stand == UNCHANGED <<kv, at>>
=============================================================================
