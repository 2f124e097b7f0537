------------------------------- MODULE Buffer -------------------------------
(* A buffer of bounded size. Who puts into a full one gets an answer that says so. *)
EXTENDS Naturals, Sequences, TLC
CONSTANTS Elems, Capacity, Better(_, _)
VARIABLES buffer, puts

ASSUME Capacity \in Nat
ASSUME SomeRoom == Capacity > 0

Init == buffer = <<>> /\ puts = 0

Put(elem) ==
    /\ Len(buffer) < Capacity
    /\ buffer' = Append(buffer, elem)
    /\ puts' = puts + 1

PutFull(elem) ==
    /\ Len(buffer) = Capacity
    /\ elem \in Elems
    /\ UNCHANGED <<buffer, puts>>

Take(elem) ==
    /\ buffer # <<>>
    /\ elem = Head(buffer)
    /\ buffer' = Tail(buffer)
    /\ UNCHANGED puts

Reset == buffer' = <<>> /\ puts' = 0

ClientNext ==
    \E elem \in Elems :
        \/ Put(elem)
        \/ IF Len(buffer) < Capacity
           THEN Take(elem)
           ELSE PutFull(elem) \/ Take(elem)

Next ==
    \/ ClientNext
    \/ puts > 0 /\ Reset
    \/ /\ puts = 3    \* too many
       /\ puts' = 0
       /\ buffer' = <<>>
    \/ UNCHANGED <<buffer, puts>>

PutForever == Put(CHOOSE elem \in Elems : TRUE)
PutLoudly == PrintT(<<"putting", puts>>) /\ PutForever
CountLoudly == PrintT(<<"counting", puts>>) /\ puts' = puts + 1 /\ UNCHANGED buffer
PutWrongly == PutForever /\ Head(Tail(buffer')) # 7

Worse(a, b) == a < b
TypeOK == buffer \in Seq(Elems)
FewPuts == puts < 2
Small == puts <= 3
EmptiedAgain == []<>(buffer = <<>>)
PutsOnly == [][Len(buffer') > Len(buffer)]_buffer
RoomIsKept == [][Len(buffer') <= Capacity]_<<buffer, puts>>
AlwaysSmall == []TypeOK /\ [](Len(buffer) <= Capacity)
BeginsEmpty == buffer = <<>>
BeginsFull == Len(buffer) = Capacity
=============================================================================
