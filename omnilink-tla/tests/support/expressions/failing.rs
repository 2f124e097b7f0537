//! Expressions with a mistake inside: a value of the wrong kind, an argument outside of a domain, nothing to choose, a
//! set that cannot be enumerated. Around it is a context that needs the value, or one that need not look at it.

use super::{Generator, MOST, Type};

/// Contexts in which the hole may stay unevaluated.
const LAZY: &[&str] = &[
    "(LET unused == HOLE IN 1)",
    "(FALSE /\\ HOLE)",
    "(TRUE \\/ HOLE)",
    "(FALSE => HOLE)",
    "(IF TRUE THEN 1 ELSE HOLE)",
    "(CASE TRUE -> 1 [] OTHER -> HOLE)",
    "(\\A y \\in {} : HOLE)",
    "{HOLE : y \\in {}}",
    "(LET F(y) == 1 IN F(HOLE))",
    "(\\E y \\in {1, 2} : y = 1 \\/ HOLE)",
];

/// Contexts that need the hole's value, whatever it is.
const STRICT: &[&str] = &[
    "HOLE",
    "<<1, HOLE>>",
    "{HOLE}",
    "[a |-> HOLE]",
    "(LET y == HOLE IN <<y, y>>)",
    "[y \\in {1} |-> HOLE]",
    "{HOLE : y \\in {1, 2}}",
    "(CHOOSE y \\in {1, 2} : y = HOLE)",
    "(TRUE /\\ HOLE)",
    "Append(<<1>>, HOLE)",
];

impl Generator<'_> {
    pub(super) fn failing(&mut self) -> String {
        let mistake = self.mistake();
        let contexts = if self.random.chance(20) { LAZY } else { STRICT };
        self.random.pick(contexts).replace("HOLE", &mistake)
    }

    fn mistake(&mut self) -> String {
        let n = self.expression(&Type::Int, 1);
        let truth = self.boolean(1);
        let text = self.literal(&Type::Text);
        let set = self.expression(&Type::set(&Type::Int, MOST), 1);
        let sequence = self.expression(&Type::seq(&Type::Int, 2), 1);
        let record = self.literal(&Type::Record(vec![("a", Type::Int), ("b", Type::Text)]));
        let forms = [
            format!("({n} + {text})"),
            format!("({set} + {n})"),
            format!("({truth} * {n})"),
            format!("({text} < {n})"),
            format!("(-{text})"),
            format!("({n} \\div 0)"),
            format!("({n} % 0)"),
            format!("({n} = {text})"),
            format!("({text} # {n})"),
            format!("({truth} = {n})"),
            format!("({set} = {n})"),
            format!("({sequence} = {n})"),
            format!("({record} = {n})"),
            format!("({n} /\\ {truth})"),
            format!("(~{n})"),
            format!("({set} => {truth})"),
            format!("({n} <=> {truth})"),
            format!("(IF {n} THEN 1 ELSE 2)"),
            format!("({n} \\cup {{{n}}})"),
            format!("({{{n}}} \\cup {n})"),
            format!("({{{n}}} \\cap {text})"),
            format!("({{{n}}} \\ {text})"),
            format!("({n} \\in {n})"),
            format!("({n} \\in {{{text}}})"),
            format!("({{{n}}} \\subseteq {text})"),
            format!("(SUBSET {n})"),
            format!("(UNION {{{n}}})"),
            format!("(UNION {n})"),
            format!("({n} \\X {set})"),
            format!("({n} .. {text})"),
            format!("{{{n}, {text}}}"),
            format!("{{x \\in {n} : {truth}}}"),
            "{x \\in {1, 2} : x + 1}".to_owned(),
            format!("{{x : x \\in {text}}}"),
            format!("(\\A x \\in {n} : {truth})"),
            "(\\E x \\in {1, 2} : x)".to_owned(),
            format!("(CHOOSE x \\in {set} : FALSE)"),
            "(CHOOSE x \\in {} : TRUE)".to_owned(),
            format!("(CHOOSE x : x = {n})"),
            "(CHOOSE x \\in Nat : x > 3)".to_owned(),
            "(\\E x \\in Nat : x > 3)".to_owned(),
            "(\\A x : x = x)".to_owned(),
            "{x \\in Int : x > 3}".to_owned(),
            "Cardinality(Nat)".to_owned(),
            "Cardinality(Seq({1}))".to_owned(),
            "{s : s \\in Seq({1})}".to_owned(),
            "(STRING \\cap {1})".to_owned(),
            format!("Cardinality({n})"),
            format!("Head({sequence} \\o <<>>)[1]"),
            "Head(<<>>)".to_owned(),
            "Tail(<<>>)".to_owned(),
            format!("Len({n})"),
            format!("Head({set})"),
            format!("Append({n}, {n})"),
            format!("({sequence} \\o {n})"),
            format!("SubSeq(<<1, 2>>, 1, 2 + ({n} % 3) + 1)"),
            "SubSeq(<<1, 2>>, 0, 1)".to_owned(),
            format!("SelectSeq(<<1, 2>>, LAMBDA x : {n})"),
            format!("{sequence}[0]"),
            format!("{sequence}[7]"),
            format!("{sequence}[{text}]"),
            format!("({n})[1]"),
            format!("{record}.missing"),
            format!("{record}[1]"),
            format!("[{record} EXCEPT !.missing = 1].missing"),
            "[x \\in {1, 2} |-> x][3]".to_owned(),
            format!("[x \\in {{1, 2}} |-> x][{text}]"),
            format!("[x \\in {n} |-> x][1]"),
            format!("[{set} EXCEPT ![1] = 2]"),
            format!("(DOMAIN {n})"),
            format!("(DOMAIN {set})"),
            format!("({n}).a"),
            format!("[{n} -> {set}]"),
            format!("(CASE FALSE -> {n})"),
            format!("(CASE {n} -> 1)"),
            format!("Assert(FALSE, {text})"),
            format!("({n} @@ {record})"),
            format!("SortSeq({n}, <)"),
            format!("Permutations({n})"),
            "RandomElement({})".to_owned(),
            format!("BagCardinality({set})"),
            "(0 ^ 0)".to_owned(),
            "(2 ^ (-1))".to_owned(),
            format!("TLCGet({n} + 100)"),
            "(LET f[x \\in 1..3] == f[x + 1] IN f[1])".to_owned(),
        ];
        self.random.pick(&forms).clone()
    }
}
