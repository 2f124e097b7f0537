//! Ways to damage a text.

/// Pieces that mean something somewhere.
pub const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "]_",
    "{",
    "}",
    "<<",
    ">>",
    ">>_",
    ",",
    ":",
    "::",
    ".",
    "!",
    "@",
    "_",
    "==",
    "|->",
    "->",
    "<-",
    "\\A ",
    "\\E ",
    "\\in ",
    "/\\ ",
    "\\/ ",
    "~",
    "-",
    "'",
    "=",
    "=>",
    "[]",
    "<>",
    "IF ",
    "THEN ",
    "ELSE ",
    "CASE ",
    "LET ",
    "IN ",
    "CHOOSE ",
    "LAMBDA ",
    "EXCEPT ",
    "WF_",
    "INSTANCE ",
    "WITH ",
    "LOCAL ",
    "RECURSIVE ",
    "THEOREM ",
    "PROOF ",
    "BY ",
    "<1>1. ",
    "QED ",
    "ASSUME ",
    "PROVE ",
    "----",
    "====",
    "---- MODULE X ----",
    "(*",
    "*)",
    "\\*",
    "\"",
    "\\",
    "\n",
    "\t",
    " ",
    "\r\n",
    "∀",
    "≜",
    "⟨",
    "ℕ",
    "é",
    "\u{0}",
    "0",
    "x",
    "MODULE ",
];

/// One change. Positions are taken modulo what there is, so that any number is one.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Takes characters out.
    Remove {
        /// The first of them.
        at: usize,
        /// How many.
        length: usize,
    },
    /// Puts one of [`PIECES`] in.
    Insert {
        /// Before which character.
        at: usize,
        /// Which piece.
        piece: usize,
    },
    /// Exchanges two lines.
    SwapLines(usize, usize),
    /// Puts a part of another text in.
    Splice {
        /// Before which character.
        at: usize,
        /// Which other text.
        text: usize,
        /// The first character of it.
        from: usize,
        /// How many characters.
        length: usize,
    },
    /// Ends the text early.
    Cut(usize),
}

impl Edit {
    /// Changes `text`, with parts of `others` if need be.
    pub fn apply(&self, text: &mut Vec<char>, others: &[String]) {
        let places = text.len() + 1;
        match *self {
            Self::Remove { at, length } => {
                let start = at % places;
                text.drain(start..text.len().min(start + length));
            }
            Self::Insert { at, piece } => {
                let at = at % places;
                text.splice(at..at, PIECES[piece % PIECES.len()].chars());
            }
            Self::SwapLines(one, other) => {
                let whole: String = text.iter().collect();
                let mut lines: Vec<_> = whole.split('\n').collect();
                let count = lines.len();
                lines.swap(one % count, other % count);
                *text = lines.join("\n").chars().collect();
            }
            Self::Splice { at, text: other, from, length } => {
                let other = &others[other % others.len()];
                let part = other.chars().skip(from % (other.len() + 1)).take(length);
                let at = at % places;
                text.splice(at..at, part);
            }
            Self::Cut(at) => text.truncate(at % places),
        }
    }
}
