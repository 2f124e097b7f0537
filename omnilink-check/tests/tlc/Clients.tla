------------------------------- MODULE Clients ------------------------------
(* A next-state relation that leads to its actions through definitions, CASE, patterns and expressions of the next state. *)
EXTENDS Naturals, Sequences

CONSTANT Clients

VARIABLES held, log

Init == held = {} /\ log = <<>>

Take(who, what) == <<who, what>> \notin held /\ held' = held \cup {<<who, what>>} /\ UNCHANGED log

Drop(who, what) == held' = held \ {<<who, what>>} /\ UNCHANGED log

Say(what, size) == log' = Append(log, what) /\ UNCHANGED held

Ops(client) == \E item \in 1..2 : Take(client, item) \/ (held # {} /\ Drop(client, item))

Turn(one) ==
    CASE Len(log) = 0 -> Ops(one)
      [] OTHER -> \E <<holder, item>> \in held : Drop(holder, item)

Next ==
    \/ \E client \in Clients : Turn(client)
    \/ \E what \in Nat : Say(what, Len(log'))
=============================================================================
