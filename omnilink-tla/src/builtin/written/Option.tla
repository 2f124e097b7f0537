-------------------------------- MODULE Option --------------------------------
\* Apalache's optional values: variants that are tagged Some or None.
EXTENDS Apalache, Variants

Some(content) == Variant("Some", content)
None == Variant("None", UNIT)

IsSome(option) == VariantTag(option) = "Some"
IsNone(option) == VariantTag(option) = "None"

OptionCase(option, OfSome(_), OfNone(_)) ==
    IF IsSome(option) THEN OfSome(VariantGetUnsafe("Some", option)) ELSE OfNone(UNIT)
OptionToSeq(option) == IF IsSome(option) THEN <<VariantGetUnsafe("Some", option)>> ELSE <<>>
OptionToSet(option) == IF IsSome(option) THEN {VariantGetUnsafe("Some", option)} ELSE {}
OptionGetOrElse(option, default) == IF IsSome(option) THEN VariantGetUnsafe("Some", option) ELSE default
OptionMap(Of(_), option) == IF IsSome(option) THEN Some(Of(VariantGetUnsafe("Some", option))) ELSE None
OptionFlatMap(Of(_), option) == IF IsSome(option) THEN Of(VariantGetUnsafe("Some", option)) ELSE None
OptionGuess(options) == IF options = {} THEN None ELSE Some(CHOOSE element \in options : TRUE)
OptionFunApp(function, option) == IF IsSome(option) THEN Some(function[VariantGetUnsafe("Some", option)]) ELSE None
OptionPartialFun(function, undefined) ==
    [key \in DOMAIN function \cup undefined |-> IF key \in undefined THEN None ELSE Some(function[key])]
===============================================================================
