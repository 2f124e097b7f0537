----------------------------- MODULE Explained -----------------------------
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Elems, Capacity
VARIABLES queue, taken, log
vars == <<queue, taken, log>>

Init == queue = <<1, 2>> /\ taken = {} /\ log = [e \in Elems |-> 0]

HasRoom(q) == Len(q) < Capacity
Put(elem) ==
    /\ HasRoom(queue)
    /\ queue' = Append(queue, elem)
    /\ UNCHANGED <<taken, log>>

Get(elem) ==
    /\ queue # <<>>
    /\ elem = Head(queue)
    /\ elem > 1
    /\ queue' = Tail(queue)
    /\ taken' = taken \cup {elem}
    /\ UNCHANGED log

Swap(a, b) == a > b /\ queue' = <<a, b>> /\ UNCHANGED <<taken, log>>
Pair(a, b) == a + b = 9 /\ UNCHANGED vars
Passing(twice) == twice \in Elems /\ UNCHANGED vars
Guarded == taken' = {} /\ UNCHANGED <<queue, log>>
Otherwise == UNCHANGED vars
InCase == UNCHANGED vars
Disjoint == /\ \/ Len(queue) = 0
               \/ taken # {}
               \/ /\ Len(queue) = 2
                  /\ 3 \in taken
            /\ UNCHANGED vars
Quantified == \E e \in Elems, n \in 1..2 : e > n /\ log[e] = n /\ taken' = {e} /\ UNCHANGED <<queue, log>>
ForAll == (\A e \in Elems : taken' = {e} \cap {1}) /\ UNCHANGED <<queue, log>>
Small(n) == n < 1
Deep(n) == Small(n) /\ n # 0
Nested == LET first == Head(queue) IN Deep(first) /\ UNCHANGED vars
Negated == ~(queue # <<>> /\ Head(queue) = 1) /\ UNCHANGED vars
Counterexample == (\A e \in Elems : \E at \in 1..Len(queue) : queue[at] = e) /\ UNCHANGED vars
Unwitnessed == (\E e \in Elems : log[e] > 0 /\ e \in taken) /\ UNCHANGED vars
Waysful == taken' \in {{1}, {2}, {1, 2}} /\ Cardinality(taken') > 2 /\ UNCHANGED <<queue, log>>
Changed == queue' = <<>> /\ UNCHANGED vars
Branching == IF Len(queue) > 1 THEN taken # {} /\ UNCHANGED vars ELSE UNCHANGED vars
Failing == Head(Tail(Tail(queue))) = 1 /\ UNCHANGED vars
Incomplete == taken = {} /\ queue' = <<>>
Infinite(n) == queue[n] = 7 /\ UNCHANGED vars
Enabling == ENABLED Disjoint /\ UNCHANGED vars
AfterAll == UNCHANGED <<queue, taken>>
Locally(n) == LET Twice(m) == 2 * m
                  Bad == Twice(n) # 6
              IN Bad /\ UNCHANGED vars

RECURSIVE Down(_)
Down(n) == n > 0 /\ Down(n - 1)
Recursive == Down(200) /\ UNCHANGED vars

Ops(e) == Get(e) \/ Put(e)
Next ==
    \/ \E e \in Elems : Ops(e)
    \/ \E a, b \in Elems : Swap(a, b)
    \/ \E <<a, b>> \in {<<1, 2>>, <<1, 3>>} : Pair(a, b)
    \/ \E e \in Elems : Passing(2 * e)
    \/ Len(queue) > 2 /\ Guarded
    \/ IF queue = <<>> THEN InCase ELSE Otherwise
    \/ IF Len(queue) = 2 THEN InCase /\ taken # {} ELSE Otherwise
    \/ AfterAll /\ UNCHANGED log /\ log'[1] = 1
    \/ CASE queue = <<>> -> InCase
         [] Len(queue) = 2 -> Otherwise /\ taken # {}
         [] OTHER -> InCase
    \/ Disjoint \/ Quantified \/ ForAll \/ Nested \/ Negated
    \/ Counterexample \/ Unwitnessed \/ Waysful \/ Changed \/ Branching \/ Failing \/ Incomplete
    \/ \E n \in Nat : Infinite(n)
    \/ Enabling \/ Recursive
    \/ \E n \in 1..3 : Locally(n)
=============================================================================
