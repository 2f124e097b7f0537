----------------------------- MODULE Positions -----------------------------
(***************************************************************************)
(* A walk through a history for TLC: how many events of each lane have     *)
(* happened, and which may be next. A module that extends this one and a   *)
(* specification says what an event does.                                  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, History

VARIABLE at  \* By lane, the position of its next event.

AtStart == at = [lane \in DOMAIN Lanes |-> 1]

Open == {lane \in DOMAIN Lanes : at[lane] <= Len(Lanes[lane])}

NextEvent(lane) == Lanes[lane][at[lane]]

\* An event may be next unless the next one of another lane ended before it started.
Viable ==
    LET open == Open
    IN  {lane \in open : \A other \in open : NextEvent(other).end >= NextEvent(lane).start}

Advance(lane) == at' = [at EXCEPT ![lane] = @ + 1]

NotAtEnd == Open # {}
=============================================================================
