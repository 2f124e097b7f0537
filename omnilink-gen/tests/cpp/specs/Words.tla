------------------------------- MODULE Words -------------------------------
\* Names and strings that mean something else in C++.
EXTENDS Integers

VARIABLES x

Modes == {"READ", "EOF", "new", "a-b", "a b", "", "+", "1st", "größe", "\"quoted\\\"", "??/", "tab\there", "*/"}

class == x' = 1
xor == x' = 2
std == x' = 3
spec == x' = 4
omnilink == x' = 5
read == x' = 6
Read == x' = 7
READ == x' = 8
_Private == x' = 9
__dunder__ == x' = 10
Fuzzer == x' = 11
System == x' = 12
Context == x' = 13
errno == x' = 14
main == x' = 15
NULL == x' = 16
1a == x' = 17

\* Comments that C++ could end: */ or ??/
\* or go on with: \
Spliced(a) ==
    /\ x' = a /\
       TRUE /\ (* */ *) x = "/* */"
    /\ x = "??/"

Params(typename, delete, this, _X, x__y, Params_, stdin, mode, namespace) == x' = <<typename, delete, this, _X, x__y>>

Next ==
    \/ class \/ xor \/ std \/ spec \/ omnilink \/ read \/ Read \/ READ \/ _Private \/ __dunder__
    \/ Fuzzer \/ System \/ Context \/ errno \/ main \/ NULL \/ 1a
    \/ \E a \in {1} : Spliced(a)
    \/ \E typename \in BOOLEAN, delete \in 1..3, this \in Nat, _X \in Int, x__y \in STRING, Params_ \in {1, 2},
         stdin \in Modes, mode \in Modes, namespace \in SUBSET Modes :
         Params(typename, delete, this, _X, x__y, Params_, stdin, mode, namespace)
=============================================================================
