------------------------- MODULE SequencesExtTheorems -------------------------
\* What the theorems of this module are about besides sequences.
EXTENDS Sequences, SequencesExt, Functions, Integers
LOCAL INSTANCE WellFoundedInduction

StrictPrefixesDetermineDef(S, Def(_, _)) ==
    \A g, h : \A s \in Seq(S) :
        (\A t \in Seq(S) : IsStrictPrefix(t, s) => g[t] = h[t]) => Def(g, s) = Def(h, s)
StrictSuffixesDetermineDef(S, Def(_, _)) ==
    \A g, h : \A s \in Seq(S) :
        (\A t \in Seq(S) : IsStrictSuffix(t, s) => g[t] = h[t]) => Def(g, s) = Def(h, s)

TailInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Tail(s)], s)]
TailInductiveDefConclusion(f, S, f0, Def(_, _)) ==
    f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Tail(s)], s)]
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Front(s)], s)]
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) ==
    f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Front(s)], s)]
===============================================================================
