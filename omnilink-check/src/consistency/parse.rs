//! Criteria and axioms as people write them.

use thiserror::Error;

use super::axiom::{Axiom, Relation};
use super::criterion::{Criteria, Criterion, NAMES};

/// Text that is no criterion.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}, at character {at} of `{text}`; {hint}")]
pub struct ParseError {
    /// What is wrong.
    pub what: String,
    /// The text.
    pub text: String,
    /// Where in the text, in characters from 1.
    pub at: usize,
    /// What to write instead.
    pub hint: String,
}

/// A piece of a text, with its place.
#[derive(Clone, Copy)]
struct Piece<'a> {
    whole: &'a str,
    from: usize,
    to: usize,
}

impl<'a> Piece<'a> {
    fn new(whole: &'a str) -> Self {
        Self { whole, from: 0, to: whole.len() }.trimmed()
    }

    fn text(self) -> &'a str {
        &self.whole[self.from..self.to]
    }

    fn trimmed(self) -> Self {
        let text = self.text();
        let from = self.from + (text.len() - text.trim_start().len());
        let to = (from + text.trim().len()).max(from);
        Self { from, to, ..self }
    }

    /// The pieces between separators.
    fn split(self, separator: &'a str) -> Vec<Self> {
        let mut from = self.from;
        let mut pieces = Vec::new();
        for part in self.text().split(separator) {
            pieces.push(Self { from, to: from + part.len(), ..self }.trimmed());
            from += part.len() + separator.len();
        }
        pieces
    }

    fn wrong(self, what: impl Into<String>, hint: impl Into<String>) -> ParseError {
        let at = self.whole[..self.from].chars().count() + 1;
        ParseError { what: what.into(), text: self.whole.to_owned(), at, hint: hint.into() }
    }
}

impl Criteria {
    /// Reads `causal`, or `linearizable, Size: weak`: a criterion, then others for some operations.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut general = None;
        let mut special: Vec<(String, Criterion)> = Vec::new();
        for piece in Piece::new(text).split(",") {
            match piece.split(":").as_slice() {
                [one] if general.is_none() && special.is_empty() => general = Some(named(*one)?),
                [one] if Criterion::named(one.text()).is_some() => {
                    let hint = "write one criterion first, then `Action: criterion` for each action that differs";
                    return Err(one.wrong("a second criterion for all actions", hint));
                }
                [one] => return Err(one.wrong("no `:` after the name of an action", "write `Action: criterion`")),
                [name, criterion] => {
                    if name.text().is_empty() {
                        return Err(name.wrong("no name of an action before `:`", "write `Action: criterion`"));
                    }
                    if special.iter().any(|(known, _)| known == name.text()) {
                        let what = format!("`{}` has two criteria", name.text());
                        return Err(name.wrong(what, "name each action once"));
                    }
                    special.push((name.text().to_owned(), named(*criterion)?));
                }
                _ => return Err(piece.wrong("more than one `:`", "separate actions by commas: `A: weak, B: causal`")),
            }
        }
        let general = general.unwrap_or_else(Criterion::linearizable);
        Ok(Self { general, special })
    }

    /// Whether the criteria can be decided: where axioms compose hb, the linearization has to contain hb.
    ///
    /// # Errors
    /// If they cannot.
    pub fn validate(&self) -> Result<(), ParseError> {
        match self.all().find_map(Criterion::composes_hb) {
            Some(axiom) if !self.are_real_time() => {
                let text = axiom.to_string();
                Err(Piece::new(&text).wrong(
                    "an axiom that composes hb needs a linearization that contains hb",
                    "add --real-time or the axiom `lin >= hb`",
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Criterion {
    /// Reads axioms: `vis >= po, vis >= vis.vis`.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse_axioms(text: &str) -> Result<Self, ParseError> {
        Piece::new(text).split(",").into_iter().map(axiom).collect::<Result<_, _>>().map(Self::of)
    }
}

fn named(piece: Piece<'_>) -> Result<Criterion, ParseError> {
    Criterion::named(piece.text()).ok_or_else(|| {
        let what = match piece.text() {
            "" => "no criterion".to_owned(),
            other => format!("`{other}` is no criterion"),
        };
        piece.wrong(what, format!("the criteria are {} and, alone, strongest", NAMES.join(", ")))
    })
}

const FORM: &str = "an axiom is `vis >= R` or `lin >= R`, where R is composed of po, hb, lin and vis: `vis >= vis.po`";

fn axiom(piece: Piece<'_>) -> Result<Axiom, ParseError> {
    let sides = [">=", "⊇"].into_iter().map(|sign| piece.split(sign)).find(|sides| sides.len() == 2);
    let Some(sides) = sides else {
        let what = if piece.text().is_empty() { "no axiom" } else { "no axiom: it has not one `>=`" };
        return Err(piece.wrong(what, FORM));
    };
    let left = match Relation::named(sides[0].text()) {
        Some(left @ (Relation::Lin | Relation::Vis)) => left,
        _ => return Err(sides[0].wrong(format!("`{}` stands left of >=", sides[0].text()), FORM)),
    };
    let relation = |piece: Piece<'_>| {
        Relation::named(piece.text()).ok_or_else(|| piece.wrong(format!("`{}` is no relation", piece.text()), FORM))
    };
    let separator = if sides[1].text().contains('∘') { "∘" } else { "." };
    Ok(Axiom { left, right: sides[1].split(separator).into_iter().map(relation).collect::<Result<_, _>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_axioms_are_read_as_they_are_written() {
        for name in NAMES {
            assert_eq!(Criteria::parse(name).unwrap().to_string(), name);
        }
        let criteria = Criteria::parse(" linearizable ,Size: weak,  Peek :causal").unwrap();
        assert_eq!(criteria.to_string(), "linearizable, Size: weak, Peek: causal");
        assert_eq!(Criteria::parse("Size: weak").unwrap().to_string(), "linearizable, Size: weak");
        let axioms = Criterion::parse_axioms("vis>=po, vis >= vis . vis ,lin ⊇ hb∘po").unwrap();
        assert_eq!(axioms.to_string(), "vis >= po, vis >= vis.vis, lin >= hb.po");
    }

    #[test]
    fn errors_have_the_place_of_what_is_wrong() {
        let criteria = [
            ("", 1, "no criterion"),
            ("serial", 1, "`serial` is no criterion"),
            ("linearizable, Size: week", 21, "`week` is no criterion"),
            ("linearizable, weak", 15, "a second criterion"),
            ("linearizable, Size", 15, "no `:`"),
            ("linearizable, : weak", 15, "no name"),
            ("linearizable, A: weak, A: causal", 24, "two criteria"),
            ("linearizable, A: weak: causal", 15, "more than one"),
            ("linearizable,", 14, "no `:`"),
        ];
        for (text, at, what) in criteria {
            let error = Criteria::parse(text).unwrap_err();
            assert!(error.at == at && error.what.contains(what), "{text}: {error}");
        }
        let axioms = [
            ("", 1, "no axiom"),
            ("vis > po", 1, "not one"),
            ("vis >= po,", 11, "no axiom"),
            ("po >= vis", 1, "stands left"),
            ("vis >= po.", 11, "`` is no relation"),
            ("vis >= po, vis >= pö.x", 19, "`pö` is no relation"),
            ("ü >= pö", 1, "stands left"),
        ];
        for (text, at, what) in axioms {
            let error = Criterion::parse_axioms(text).unwrap_err();
            assert!(error.at == at && error.what.contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn composed_hb_needs_real_time() {
        let composed = Criteria::uniform(Criterion::parse_axioms("vis >= vis.hb").unwrap());
        assert!(composed.validate().is_err());
        assert!(composed.in_real_time().validate().is_ok());
        assert!(Criteria::uniform(Criterion::parse_axioms("vis >= hb, vis >= vis.hb").unwrap()).validate().is_ok());
        let mixed = Criteria {
            general: Criterion::named("causal").unwrap(),
            special: vec![("A".to_owned(), Criterion::parse_axioms("lin >= hb, vis >= vis.hb").unwrap())],
        };
        assert!(mixed.validate().is_err());
    }
}
