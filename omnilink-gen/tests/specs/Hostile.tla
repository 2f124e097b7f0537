------------------------------ MODULE Hostile ------------------------------
\* Names, strings and comments that mean something else in other languages.
EXTENDS Integers
VARIABLE x

Init == x = 0

type(new, delete, class, self) == (* */ *) x' = new + delete \* \
    /\ class = self  \* ??/
fn(match) == x' = match
Fn(Match, match_) == x' = Match + match_
Quiet(a) == (* */ // #error "!" ??/
   ‮⁦ \    *) x' = a
_lead(_a, __x, x_) == x' = __x
Action(Name) == x' = Name
Name(Context) == x' = Context
Fuzzer == x' = 1
System(State) == x' = State
main == x' = 2
Some(None) == x' = None
int(double, cx) == x' = double
std == x' = 3
R2D2(u8) == x' = u8
Strings(text) == text = "\"; */ evil(); //" /\ x' = 4
Talk(word) == x' = 5 /\ word = word

Words == {"type", "Type", "TYPE", "", "a b", "\"; drop", "*/", "//", "\\", "{}", "%s%n", "class", "1", "-1", "\n", "Self", "größe ≤ ‮", "\t", "a_b", "//x", "r#\"raw\"#", "\\u{41}", "??/"}

Next ==
    \/ \E new, delete, class, self \in Int : type(new, delete, class, self)
    \/ \E match \in 1..2 : fn(match) \/ Fn(match, match)
    \/ \E a \in {0}, __x, x_ \in -3..-1 : _lead(a, __x, x_)
    \/ \E n \in Nat : Action(n) \/ Name(n) \/ Quiet(n) \/ System(n) \/ Some(n) \/ int(n, n) \/ R2D2(n)
    \/ Fuzzer \/ main \/ std
    \/ Strings("\"; */ evil(); //")
    \/ \E word \in Words : Talk(word)
=============================================================================
