------------------------------ MODULE Replacements ------------------------------
EXTENDS Naturals, Sequences
CONSTANTS Width, Colour, Unset
VARIABLES pixels, count
Infinite == Nat
Palette == Seq(Colour)
Plain == {Unset} \cup Colour
Paint(p, c) == pixels' = [pixels EXCEPT ![p] = c]
Limit == 1000
Step(p, c) == Paint(p, c) /\ count' = count + 1
Init == pixels = [p \in 1..Width |-> Unset] /\ count = 0
Next == \E p \in 1..Width, c \in Colour : count < Limit /\ count \in Infinite /\ Step(p, c)
\* Used by the configurations instead of the definitions above.
Small == 0..10
Four == 4
PaintOnce(p, c) == pixels[p] = Unset /\ pixels' = [pixels EXCEPT ![p] = c]
RedAndBlue == {"red", "blue"}
TypeOK == pixels \in [1..Width -> Plain] /\ count \in Infinite
=================================================================================
