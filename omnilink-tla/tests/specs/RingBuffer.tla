------------------------------ MODULE RingBuffer ------------------------------
(* An array with two counters refines the FIFO: named instance, substitution    *)
(* by an expression, calls of its operators, a primed operator of an instance.   *)
EXTENDS Integers, Sequences
CONSTANTS Msg, Size
VARIABLES array, produced, consumed
vars == <<array, produced, consumed>>
Slot == 0 .. Size - 1
Contents == [i \in 1 .. produced - consumed |-> array[(consumed + i - 1) % Size]]
Fifo == INSTANCE AbstractChannel WITH Message <- Msg, ch <- Contents

Init == /\ array \in [Slot -> Msg]
        /\ produced = 0 /\ consumed = 0
Write(m) == /\ produced - consumed < Size
            /\ array' = [array EXCEPT ![produced % Size] = m]
            /\ produced' = produced + 1
            /\ UNCHANGED consumed
Read == /\ consumed < produced
        /\ consumed' = consumed + 1
        /\ UNCHANGED <<array, produced>>
        /\ Fifo!Length' = Fifo!Length - 1
        /\ Fifo!Recv(Contents[1])
Next == Read \/ \E m \in Msg : Write(m)
Spec == Init /\ [][Next]_vars
Few == produced < 6
LengthIsDifference == Fifo!Length = produced - consumed
Holds == \A m \in Msg : Fifo!Contains(m) => \E s \in Slot : array[s] = m
Refinement == Fifo!Spec
===============================================================================
