//! What the lexer hands to the parser.

use super::operators::Operator;

/// A word or symbol, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Column from 1, tabs expanded to multiples of 8: what junction lists are aligned by.
    pub column: u32,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name that is no reserved word.
    Identifier,
    /// A reserved word that is no operator.
    Keyword(Keyword),
    /// An operator symbol. `-` is subtraction until the parser sees that it has no left operand.
    Operator(&'static Operator),
    /// `42`, `\b101`
    Number,
    /// `3.14`
    Decimal,
    /// `"text"`
    String,
    /// `<1>2.`, `<*>`
    ProofStep,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `]_`
    CloseBracketSubscript,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `<<`
    OpenAngle,
    /// `>>`
    CloseAngle,
    /// `>>_`
    CloseAngleSubscript,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `.`
    Dot,
    /// `!`
    Bang,
    /// `@`
    At,
    /// `_`
    Underscore,
    /// `==`
    Define,
    /// `|->`
    MapsTo,
    /// `->`
    Arrow,
    /// `<-`
    Gets,
    /// `\A`, `\E`, `\AA`, `\EE`
    Quantifier(Quantifier),
    /// `----`
    Separator,
    /// `====`
    ModuleEnd,
    /// The end of the text, or of what of it belongs to the module.
    End,
    /// What the parser sees in place of a token that does not stand right of the bullet of the list being read.
    Outdent,
}

/// A quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `\A`
    ForAll,
    /// `\E`
    Exists,
    /// `\AA`
    TemporalForAll,
    /// `\EE`
    TemporalExists,
}

impl Quantifier {
    /// As written in ASCII.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ForAll => "\\A",
            Self::Exists => "\\E",
            Self::TemporalForAll => "\\AA",
            Self::TemporalExists => "\\EE",
        }
    }
}

macro_rules! keywords {
    ($($variant:ident $($word:literal)+,)*) => {
        /// A reserved word. Those with a plural or another name for the same thing are one variant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is its own word")]
        pub enum Keyword { $($variant),* }

        impl Keyword {
            /// The reserved word that is written so.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($($word)|+ => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

keywords! {
    Action "ACTION" "ACTIONS",
    Assume "ASSUME",
    Assumption "ASSUMPTION" "AXIOM",
    By "BY",
    Case "CASE",
    Choose "CHOOSE",
    Constant "CONSTANT" "CONSTANTS",
    Def "DEF" "DEFS",
    DefineStep "DEFINE",
    Else "ELSE",
    Except "EXCEPT",
    Extends "EXTENDS",
    Have "HAVE",
    Hide "HIDE",
    If "IF",
    In "IN",
    Instance "INSTANCE",
    Lambda "LAMBDA",
    Let "LET",
    Local "LOCAL",
    Module "MODULE",
    New "NEW",
    Obvious "OBVIOUS",
    Omitted "OMITTED",
    Only "ONLY",
    Other "OTHER",
    Pick "PICK",
    Proof "PROOF",
    Proposition "PROPOSITION" "LEMMA" "COROLLARY",
    Prove "PROVE",
    Qed "QED",
    Recursive "RECURSIVE",
    State "STATE",
    StrongFairness "SF_",
    Suffices "SUFFICES",
    Take "TAKE",
    Temporal "TEMPORAL" "TEMPORALS",
    Then "THEN",
    Theorem "THEOREM",
    Use "USE",
    Variable "VARIABLE" "VARIABLES",
    WeakFairness "WF_",
    With "WITH",
    Witness "WITNESS",
}
