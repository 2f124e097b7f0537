---- MODULE Properties ----
\* What a PROPERTY says of initial states, of all states and of steps.
EXTENDS Naturals
VARIABLES a, b
vars == <<a, b>>

Init == a = 0 /\ b \in {0, 1}
StepA == a < 2 /\ a' = a + 1 /\ UNCHANGED b
StepB == b < 1 /\ b' = b + 1 /\ UNCHANGED a
Reset == a = 2 /\ b = 1 /\ a' = 1 /\ b' = 1
Rest == a = 2 /\ UNCHANGED vars
Next == StepA \/ StepB \/ Reset \/ Rest
Spec == Init /\ [][Next]_vars

Counter(n) == INSTANCE AbstractCounter WITH count <- n
OfA == INSTANCE AbstractCounter WITH count <- a
OfB == INSTANCE AbstractCounter WITH count <- b
Twice == INSTANCE AbstractCounter WITH count <- 2 * a
Constantly == INSTANCE AbstractCounter WITH count <- 0

Low == a + b < 4
Alone == OfA!Spec /\ OfB!Init

\* These hold.
Refines == Constantly!Spec
States == []Low /\ [](a \in 0..2 /\ b \in 0..1)
Steps == [][a' # a => b' = b]_vars
Quantified == \A i \in 0..1 : [](a = i => a # i + 1) /\ [][a = i => a' # i + 2]_a
Initially == a = 0
Stutters == [][FALSE]_<<a - a, b - b>>

\* These do not.
InitialFails == OfB!Spec
StateFails == [](a + b < 3)
Sum == a + b < 3
NamedStateFails == []Sum
StepFails == Twice!Spec
OnlyToKnownState == [][a' >= a]_a
StateAndStepFail == [](a < 2) /\ [][a' < 2]_a
ConjunctFails == Alone
QuantifiedStateFails == \A i \in 0..1 : [](a + b < 3 + i)

\* For a configuration with CONSTRAINT Inside: the step to outside counts.
Inside == a < 2
InsideSteps == [][a' < 2]_a
====
