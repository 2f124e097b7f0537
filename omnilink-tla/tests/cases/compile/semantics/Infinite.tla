---- MODULE Infinite ----
\* Infinite sets and functions that are not tabulated, and values that are drawn once.
EXTENDS Integers, Sequences, TLC, Randomization, FiniteSets

ASSUME 5 \in UNION {Nat} /\ -5 \notin UNION {Nat}
ASSUME -5 \in UNION {Nat, Int}
ASSUME <<1, 2>> \in UNION {Seq(Nat)} /\ <<-1>> \notin UNION {Seq(Nat)}
ASSUME "a" \in UNION {STRING}
ASSUME UNION {{1}, {2}, 1..3} = 1..3
ASSUME UNION {} = {}
ASSUME UNION {SUBSET {1}, {{2}}} = {{}, {1}, {2}}
ASSUME [x \in {1} |-> 5] \in [{1} -> Nat]
ASSUME {1} \in SUBSET Nat /\ {-1} \notin SUBSET Nat
ASSUME [a |-> 1] \in [a : Nat] /\ [a |-> -1] \notin [a : Nat]

f[n \in Nat] == n + 1
g == [f EXCEPT ![0] = 7]
h == [g EXCEPT ![0] = @ + 1, ![3] = 0]
ASSUME g[0] = 7 /\ g[3] = 4
ASSUME h[0] = 8 /\ h[3] = 0 /\ h[4] = 5
ASSUME [f EXCEPT ![-1] = 7][5] = 6
ASSUME [[n \in Nat |-> <<n, n>>] EXCEPT ![2][1] = 9][2] = <<9, 2>>

\* Drawn once, as every constant definition is evaluated once.
Drawn == RandomElement(1..1000000)
Set == RandomSubset(5, 1..1000)
ASSUME Drawn = Drawn /\ Drawn \in 1..1000000
ASSUME Set = Set /\ Cardinality(Set) = 5 /\ Set \subseteq 1..1000
ASSUME Cardinality(RandomSubset(3, SUBSET (1..20))) = 3
ASSUME \A S \in RandomSetOfSubsets(4, 2, 1..6) : S \subseteq 1..6
====
