------------------------------- MODULE Variants -------------------------------
\* A variant is a record of its tag and its value.
Variant(name, content) == [tag |-> name, value |-> content]
VariantTag(variant) == variant.tag
VariantFilter(name, variants) == {variant.value : variant \in {some \in variants : some.tag = name}}
VariantGetOrElse(name, variant, default) == IF variant.tag = name THEN variant.value ELSE default
VariantGetUnsafe(name, variant) == variant.value

UNIT == "U_OF_UNIT"
===============================================================================
