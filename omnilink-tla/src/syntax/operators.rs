//! Every operator symbol of TLA+: its one canonical name, how it is written, how strongly it binds.
//!
//! Precedence is a *range*. Of two operators around an operand the one whose whole range lies above the other's takes
//! it; if the ranges overlap the expression means nothing and needs parentheses, unless both are one operator that is
//! left-associative. The ranges are those of TLC's parser, which differ in places from the printed tables: `SUBSET`,
//! `UNION` and `DOMAIN` bind like `\X`, so that `SUBSET S \cup T` is `(SUBSET S) \cup T`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// On which side of an operator its operands stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// `~ a`
    Prefix,
    /// `a + b`
    Infix,
    /// `a'`
    Postfix,
}

/// An operator symbol.
#[derive(Debug)]
pub struct Operator {
    /// The name by which every later stage knows it.
    pub name: &'static str,
    /// Where its operands stand.
    pub fixity: Fixity,
    /// The lowest strength with which it may be taken to bind.
    pub low: u8,
    /// The highest strength with which it may be taken to bind.
    pub high: u8,
    /// Whether `a op b op c` means `(a op b) op c` rather than nothing.
    pub associative: bool,
    /// Other ways to write it.
    pub synonyms: &'static [&'static str],
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Operator {}

impl Operator {
    /// Whether this one, standing left of an operand, takes it from `right`, which stands right of the operand.
    pub fn binds_tighter_than(&self, right: &Self) -> bool {
        self.low > right.high || (self == right && self.associative)
    }

    /// Whether this one, standing left of an operand, leaves it to `right`, which stands right of the operand.
    pub fn yields_to(&self, right: &Self) -> bool {
        self.high < right.low
    }
}

const fn operator(
    name: &'static str,
    fixity: Fixity,
    (low, high): (u8, u8),
    associative: bool,
    synonyms: &'static [&'static str],
) -> Operator {
    Operator { name, fixity, low, high, associative, synonyms }
}

const fn prefix(name: &'static str, range: (u8, u8), synonyms: &'static [&'static str]) -> Operator {
    operator(name, Fixity::Prefix, range, false, synonyms)
}

const fn postfix(name: &'static str, synonyms: &'static [&'static str]) -> Operator {
    operator(name, Fixity::Postfix, (15, 15), false, synonyms)
}

/// An infix operator of which two in a row group to the left.
const fn left(name: &'static str, range: (u8, u8), synonyms: &'static [&'static str]) -> Operator {
    operator(name, Fixity::Infix, range, true, synonyms)
}

/// An infix operator of which two in a row are an error.
const fn alone(name: &'static str, range: (u8, u8), synonyms: &'static [&'static str]) -> Operator {
    operator(name, Fixity::Infix, range, false, synonyms)
}

/// A relation: binds at 5, never in a row.
const fn relation(name: &'static str, synonyms: &'static [&'static str]) -> Operator {
    alone(name, (5, 5), synonyms)
}

/// Negation. It is written `-`, which the lexer takes for subtraction; only definitions and arguments write `-.`.
pub static NEGATION: Operator = prefix("-.", (12, 12), &[]);

static OPERATORS: &[Operator] = &[
    prefix("~", (4, 4), &["\\lnot", "\\neg", "¬"]),
    prefix("[]", (4, 15), &["□"]),
    prefix("<>", (4, 15), &["◇", "⋄"]),
    prefix("ENABLED", (4, 15), &[]),
    prefix("UNCHANGED", (4, 15), &[]),
    prefix("SUBSET", (10, 13), &[]),
    prefix("UNION", (10, 13), &[]),
    prefix("DOMAIN", (10, 13), &[]),
    postfix("'", &["′"]),
    postfix("^+", &["⁺"]),
    postfix("^*", &[]),
    postfix("^#", &[]),
    alone("=>", (1, 1), &["⇒", "⟹"]),
    alone("<=>", (2, 2), &["\\equiv", "≡", "⇔", "⟺"]),
    alone("~>", (2, 2), &["↝", "⇝"]),
    alone("-+->", (2, 2), &["⇸", "⍆"]),
    left("/\\", (3, 3), &["\\land", "∧"]),
    left("\\/", (3, 3), &["\\lor", "∨"]),
    relation("=", &[]),
    relation("#", &["/=", "≠"]),
    relation("<", &[]),
    relation(">", &[]),
    relation("<=", &["=<", "\\leq", "≤"]),
    relation(">=", &["\\geq", "≥"]),
    relation("\\in", &["∈"]),
    relation("\\notin", &["∉"]),
    relation("\\subseteq", &["⊆"]),
    relation("\\subset", &["⊂"]),
    relation("\\supseteq", &["⊇"]),
    relation("\\supset", &["⊃"]),
    relation("\\sqsubseteq", &["⊑"]),
    relation("\\sqsubset", &["⊏"]),
    relation("\\sqsupseteq", &["⊒"]),
    relation("\\sqsupset", &["⊐"]),
    relation("\\prec", &["≺"]),
    relation("\\succ", &["≻"]),
    relation("\\preceq", &["⪯", "≼"]),
    relation("\\succeq", &["⪰", "≽"]),
    relation("\\ll", &["≪"]),
    relation("\\gg", &["≫"]),
    relation("\\sim", &["∼"]),
    relation("\\simeq", &["≃"]),
    relation("\\approx", &["≈"]),
    relation("\\cong", &["≅"]),
    relation("\\asymp", &["≍"]),
    relation("\\doteq", &["≐"]),
    relation("\\propto", &["∝"]),
    relation("|-", &["⊢"]),
    relation("|=", &["⊨"]),
    relation("-|", &["⊣"]),
    relation("=|", &["⫤"]),
    relation(":=", &["≔"]),
    relation("::=", &["⩴"]),
    left("\\cdot", (5, 14), &["⋅"]),
    left("@@", (6, 6), &[]),
    alone(":>", (7, 7), &[]),
    alone("<:", (7, 7), &[]),
    alone("\\", (8, 8), &[]),
    left("\\cap", (8, 8), &["\\intersect", "∩"]),
    left("\\cup", (8, 8), &["\\union", "∪"]),
    alone("..", (9, 9), &["‥"]),
    alone("...", (9, 9), &["…"]),
    alone("!!", (9, 13), &["‼"]),
    left("##", (9, 13), &[]),
    left("$", (9, 13), &[]),
    left("$$", (9, 13), &[]),
    left("??", (9, 13), &["⁇"]),
    left("\\sqcap", (9, 13), &["⊓"]),
    left("\\sqcup", (9, 13), &["⊔"]),
    left("\\uplus", (9, 13), &["⊎"]),
    alone("\\wr", (9, 14), &["≀"]),
    left("\\X", (10, 13), &["\\times", "×"]),
    left("+", (10, 10), &[]),
    left("++", (10, 10), &[]),
    left("\\oplus", (10, 10), &["(+)", "⊕"]),
    alone("%", (10, 11), &[]),
    left("%%", (10, 11), &[]),
    left("|", (10, 11), &[]),
    left("||", (10, 11), &["‖"]),
    left("-", (11, 11), &[]),
    left("--", (11, 11), &[]),
    left("\\ominus", (11, 11), &["(-)", "⊖"]),
    left("*", (13, 13), &[]),
    left("**", (13, 13), &[]),
    alone("/", (13, 13), &[]),
    alone("//", (13, 13), &[]),
    alone("\\div", (13, 13), &["÷"]),
    left("&", (13, 13), &[]),
    left("&&", (13, 13), &[]),
    left("\\o", (13, 13), &["\\circ", "∘"]),
    left("\\odot", (13, 13), &["(.)", "⊙"]),
    alone("\\oslash", (13, 13), &["(/)", "⊘"]),
    left("\\otimes", (13, 13), &["(\\X)", "⊗"]),
    left("\\bigcirc", (13, 13), &["◯"]),
    left("\\bullet", (13, 13), &["●"]),
    left("\\star", (13, 13), &["⋆"]),
    alone("^", (14, 14), &[]),
    alone("^^", (14, 14), &[]),
];

static BY_SPELLING: LazyLock<HashMap<&'static str, &'static Operator>> = LazyLock::new(|| {
    let spellings =
        |operator: &'static Operator| std::iter::once(operator.name).chain(operator.synonyms.iter().copied());
    let all = OPERATORS.iter().chain(std::iter::once(&NEGATION));
    all.flat_map(|operator| spellings(operator).map(move |spelling| (spelling, operator))).collect()
});

/// The operator that is written so, by its canonical name or a synonym. `-` is subtraction, `-.` is [`NEGATION`].
pub fn by_spelling(spelling: &str) -> Option<&'static Operator> {
    BY_SPELLING.get(spelling).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_belongs_to_two_operators() {
        let spellings: usize = OPERATORS.iter().map(|operator| 1 + operator.synonyms.len()).sum();
        assert_eq!(BY_SPELLING.len(), spellings + 1, "negation is not in the table");
    }

    #[test]
    fn ranges_decide() {
        let decide = |left: &str, right: &str| {
            let (left, right) = (by_spelling(left).expect("known"), by_spelling(right).expect("known"));
            match (left.binds_tighter_than(right), left.yields_to(right)) {
                (true, false) => "left",
                (false, true) => "right",
                (false, false) => "conflict",
                (true, true) => panic!("{left:?} and {right:?} both take the operand"),
            }
        };
        let cases = [
            ("+", "+", "left"),
            ("-", "+", "left"),
            ("+", "-", "right"),
            ("=>", "=>", "conflict"),
            ("/\\", "\\lor", "conflict"),
            ("/\\", "=>", "left"),
            ("SUBSET", "\\cup", "left"),
            ("DOMAIN", "\\X", "conflict"),
            ("[]", "=", "conflict"),
            ("[]", "/\\", "left"),
            ("ENABLED", "'", "conflict"),
            ("^", "'", "right"),
        ];
        for (left, right, expected) in cases {
            assert_eq!(decide(left, right), expected, "{left} before {right}");
        }
        for left in OPERATORS {
            for right in OPERATORS {
                decide(left.name, right.name);
            }
        }
    }
}
