----------------------------- MODULE QueueWalk -----------------------------
EXTENDS QueueBench, Positions

Happen(event) ==
    CASE event.op = "Enqueue" -> Enqueue(event.value)
      [] event.op = "Dequeue" -> Dequeue(event.result)

Start == Init /\ AtStart

Walk == \E lane \in Viable : Happen(NextEvent(lane)) /\ Advance(lane)

Stand == UNCHANGED <<queue, at>>
=============================================================================
