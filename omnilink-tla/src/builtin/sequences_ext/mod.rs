//! `SequencesExt`.

mod affixes;
mod elements;
mod folding;
mod making;
mod replacing;

use super::{BuiltinModule, Native, exactly};
use crate::value::Value;

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "SequencesExt",
    standard: false,
    extends: &[],
    operators: &[
        Native::one("ToSet", making::to_set),
        Native::one("ToBag", making::to_bag),
        Native::one("SetToSeq", making::from_set),
        Native::one("SetToSeqs", making::all_from_set),
        Native::higher("SetToSortSeq", &[0, 2], making::sorted_from_set),
        Native::one("SetToAllKPermutations", making::all_from_subsets),
        Native::two("TupleOf", making::of_length),
        Native::two("SeqOf", making::up_to_length),
        Native::two("BoundedSeq", making::up_to_length),
        Native::two("Cons", making::prepend),
        Native::two("Snoc", |element, sequence| super::sequences::append(sequence, element)),
        Native::one("Reverse", making::reverse),
        Native::one("FlattenSeq", making::flatten),
        Native::two("Zip", making::zip),
        Native::two("Interleave", making::interleave),
        Native::two("Contains", elements::contains),
        Native::higher("IsSorted", &[0, 2], elements::is_sorted),
        Native::two("Remove", elements::remove_all),
        Native::many("ReplaceAll", &[0, 0, 0], |arguments| {
            let [sequence, old, new] = exactly(arguments);
            elements::replace_all(sequence, old, new)
        }),
        Native::higher("SelectInSeq", &[0, 1], elements::select_first),
        Native::higher("SelectInSubSeq", &[0, 0, 0, 1], elements::select_first_within),
        Native::higher("SelectLastInSeq", &[0, 1], elements::select_last),
        Native::higher("SelectLastInSubSeq", &[0, 0, 0, 1], elements::select_last_within),
        Native::many("InsertAt", &[0, 0, 0], |arguments| {
            let [sequence, index, element] = exactly(arguments);
            elements::insert_at(sequence, index, element)
        }),
        Native::many("ReplaceAt", &[0, 0, 0], |arguments| {
            let [sequence, index, element] = exactly(arguments);
            elements::replace_at(sequence, index, element)
        }),
        Native::two("RemoveAt", elements::remove_at),
        Native::two("RemoveFirst", elements::remove_first),
        Native::higher("RemoveFirstMatch", &[0, 1], elements::remove_first_match),
        Native::one("Front", elements::front),
        Native::one("Last", elements::last),
        Native::two("SeqMod", elements::index_modulo),
        Native::two("IsPrefix", |a, b| affixes::is_prefix(a, b).map(Value::Bool)),
        Native::two("IsStrictPrefix", |a, b| Ok(Value::Bool(affixes::is_prefix(a, b)? && !a.equals(b)?))),
        Native::two("IsSuffix", |a, b| affixes::is_suffix(a, b).map(Value::Bool)),
        Native::two("IsStrictSuffix", |a, b| Ok(Value::Bool(affixes::is_suffix(a, b)? && !a.equals(b)?))),
        Native::one("Prefixes", affixes::prefixes),
        Native::one("Suffixes", affixes::suffixes),
        Native::one("CommonPrefixes", affixes::common_prefixes),
        Native::one("LongestCommonPrefix", affixes::longest_common_prefix),
        Native::one("SubSeqs", affixes::subsequences),
        Native::one("AllSubSeqs", affixes::scattered_subsequences),
        Native::higher("FoldSeq", &[2, 0, 0], folding::fold),
        Native::higher("FoldLeft", &[2, 0, 0], folding::fold_left),
        Native::higher("FoldRight", &[2, 0, 0], folding::fold_right),
        Native::higher("FoldLeftDomain", &[2, 0, 0], folding::fold_left_domain),
        Native::higher("FoldRightDomain", &[2, 0, 0], folding::fold_right_domain),
        Native::two("IndexFirstSubSeq", replacing::index_of_first),
        Native::many("ReplaceSubSeqAt", &[0, 0, 0, 0], |arguments| {
            let [index, by, part, sequence] = exactly(arguments);
            replacing::replace_at(index, by, part, sequence)
        }),
        Native::many("ReplaceFirstSubSeq", &[0, 0, 0], |arguments| {
            let [by, part, sequence] = exactly(arguments);
            replacing::replace_first(by, part, sequence)
        }),
        Native::many("ReplaceAllSubSeqs", &[0, 0, 0], |arguments| {
            let [by, part, sequence] = exactly(arguments);
            replacing::replace_all(by, part, sequence)
        }),
    ],
};
