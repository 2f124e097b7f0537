---- MODULE Unicode ----
\* The same language in other letters, in comments too: ∀ x ∈ ℕ.
EXTENDS Naturals, Integers, Reals
CONSTANTS S, T, _ ≺ _
VARIABLES x, y

Sets ≜ ⟨ℕ, ℤ, ℝ, S ∪ T, S ∩ T, S × T, {n ∈ S : n ∉ T}, S ⊆ T, S ⊂ T, S ⊇ T, S ⊃ T⟩
Logic ≜ ∀ n ∈ S : ∃ m ∈ T : ¬(n = m) ∧ (n ≤ m ∨ n ≥ m) ⇒ (n ≠ m ⇔ m ≠ n) ≡ TRUE
Functions ≜ [n ∈ S ↦ n + 1]
FunctionSets ≜ [S → T]
Temporal ≜ □◇(x = 1) ∧ (x = 1 ↝ y = 2)
Relations ≜ ⟨1 ≺ 2, 1 ∘ 2, 1 ⊕ 2, 1 ⊖ 2, 1 ⊗ 2, 1 ⊘ 2, 1 ⊙ 2, 1 ÷ 2, 1 ⋅ 2, 1 ‥ 2, S ⊓ T, S ⊔ T, S ⊎ T⟩
Lists ≜ ∧ x = 1
        ∧ ∨ y = "Ünïcödé ∧ text"
          ∨ y = 2
        ∧ x ∈ S
Cases ≜ CASE x = 1 → 1 □ x = 2 → 2 □ OTHER → 3
Step ≜ ⟨x' = x + 1⟩_x ∧ [y' = x]_⟨x, y⟩
In ≜ INSTANCE Other WITH a ← x, b ← y
====
