--------------------------- MODULE ProducerConsumer ---------------------------
EXTENDS Naturals, Sequences
CONSTANTS Items, Slots

(* --algorithm ProducerConsumer {
  variables buffer = <<>>, consumed = {};
  define {
    Full == Len(buffer) = Slots
    InRange == Len(buffer) <= Slots
  }
  macro put(x) { await ~Full; buffer := Append(buffer, x); }

  fair process (producer \in {"p", "q"})
    variable made = 0;
  {
    produce: while (made < Items) {
      put(<<self, made>>);
      made := made + 1;
    }
  }

  fair process (consumer = "c")
    variables item = <<>>;
  {
    take: while (TRUE) {
      await buffer # <<>>;
      item := Head(buffer);
      buffer := Tail(buffer);
      use: either { consumed := consumed \cup {item}; }
           or { with (other \in consumed \cup {item}) { item := other; };
                goto done; };
      done: skip;
    }
  }
} *)
\* BEGIN TRANSLATION PCal-a80439bccb35ebfc15964adf454e9cac
VARIABLES buffer, consumed, pc

(* define statement *)
Full == Len(buffer) = Slots
InRange == Len(buffer) <= Slots

VARIABLES made, item

vars == << buffer, consumed, pc, made, item >>

ProcSet == ({"p", "q"}) \cup {"c"}

Init == (* Global variables *)
        /\ buffer = <<>>
        /\ consumed = {}
        (* Process producer *)
        /\ made = [self \in {"p", "q"} |-> 0]
        (* Process consumer *)
        /\ item = <<>>
        /\ pc = [self \in ProcSet |-> CASE self \in {"p", "q"} -> "produce"
                                        [] self = "c" -> "take"]

produce(self) == /\ pc[self] = "produce"
                 /\ IF made[self] < Items
                       THEN /\ ~Full
                            /\ buffer' = Append(buffer, (<<self, made[self]>>))
                            /\ made' = [made EXCEPT ![self] = made[self] + 1]
                            /\ pc' = [pc EXCEPT ![self] = "produce"]
                       ELSE /\ pc' = [pc EXCEPT ![self] = "Done"]
                            /\ UNCHANGED << buffer, made >>
                 /\ UNCHANGED << consumed, item >>

producer(self) == produce(self)

take == /\ pc["c"] = "take"
        /\ buffer # <<>>
        /\ item' = Head(buffer)
        /\ buffer' = Tail(buffer)
        /\ pc' = [pc EXCEPT !["c"] = "use"]
        /\ UNCHANGED << consumed, made >>

use == /\ pc["c"] = "use"
       /\ \/ /\ consumed' = (consumed \cup {item})
             /\ pc' = [pc EXCEPT !["c"] = "done"]
             /\ item' = item
          \/ /\ \E other \in consumed \cup {item}:
                  item' = other
             /\ pc' = [pc EXCEPT !["c"] = "done"]
             /\ UNCHANGED consumed
       /\ UNCHANGED << buffer, made >>

done == /\ pc["c"] = "done"
        /\ TRUE
        /\ pc' = [pc EXCEPT !["c"] = "take"]
        /\ UNCHANGED << buffer, consumed, made, item >>

consumer == take \/ use \/ done

Next == consumer
           \/ (\E self \in {"p", "q"}: producer(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in {"p", "q"} : WF_vars(producer(self))
        /\ WF_vars(consumer)

\* END TRANSLATION TLA-4cae233226b0ffb983c7d667995c4507
Safe == InRange /\ \A i \in consumed : i[2] < Items
===============================================================================
