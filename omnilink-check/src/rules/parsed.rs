//! Parsing rules from the command line and from configurations, and errors in them.
//!
//! On the command line they are options. In a configuration they are comments, so that TLC reads the same file:
//!
//! ```text
//! \* omnilink: ON abort=Rollback
//! \* omnilink: ON terminate=Ends
//! \* omnilink: ALSO Commit=StatusFits
//! ```
//!
//! Two rules about the same thing are an error: a verdict must not depend on which of them was forgotten.

use std::path::Path;

use omnilink_tla::Spec;
use omnilink_tla::diagnostic::{Diagnostic, TlaError};
use omnilink_tla::internal::suggest::did_you_mean;
use omnilink_tla::source::Span;

use super::Rules;
use crate::configuration;
use crate::error::CheckError;

/// What a rule applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// What happened to a call or thread: `abort`, `terminate`.
    On,
    /// An action.
    Also,
}

/// A rule that was parsed, not yet resolved against a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedRule {
    /// What it applies to.
    pub about: About,
    /// `abort`, `terminate`, or the name of the action.
    pub name: String,
    /// The operator over the event.
    pub operator: String,
    /// Where in the configuration; on the command line otherwise.
    pub place: Option<Span>,
}

/// The rules in the configuration that a specification was loaded with, whose file is `path`.
///
/// # Errors
/// If a comment that begins with `omnilink:` is no rule.
pub fn configured(spec: &Spec, path: Option<&Path>) -> Result<Vec<ParsedRule>, CheckError> {
    let config = configuration::of(spec, path)?;
    config.remarks.into_iter().map(|place| ParsedRule::configured(spec, place)).collect()
}

impl Rules {
    /// Resolves rules: their actions and operators are those of the specification.
    ///
    /// # Errors
    /// If the specification does not define one of them, or if two rules apply to the same thing.
    pub fn of(spec: &Spec, parsed: &[ParsedRule]) -> Result<Self, CheckError> {
        let mut rules = Self::default();
        for (at, rule) in parsed.iter().enumerate() {
            if let Some(first) =
                parsed[..at].iter().find(|first| (first.about, &first.name) == (rule.about, &rule.name))
            {
                return Err(rule.clashes_with(first, spec));
            }
            rule.check_operator(spec)?;
            let operator = rule.operator.clone();
            match (rule.about, &*rule.name) {
                (About::On, "abort") => rules.on_abort = Some(operator),
                (About::On, "terminate") => rules.on_terminate = Some(operator),
                (About::On, _) => {
                    let hint = "there are rules for `abort` and `terminate`".to_owned();
                    return Err(rule.refused(spec, format!("there is no rule for `{}`", rule.name), Some(hint)));
                }
                (About::Also, _) => {
                    rule.check_action(spec)?;
                    rules.also.insert(rule.name.clone(), operator);
                }
            }
        }
        Ok(rules)
    }
}

impl ParsedRule {
    /// Reads `abort=Rollback`.
    ///
    /// # Errors
    /// If it has another form.
    pub fn new(about: About, text: &str) -> Result<Self, String> {
        let names = text.split_once('=').map(|(name, operator)| (name.trim().to_owned(), operator.trim().to_owned()));
        match names {
            Some((name, operator)) if !name.is_empty() && !operator.is_empty() => {
                Ok(Self { about, name, operator, place: None })
            }
            _ => Err(format!("`{text}` has not the form NAME=OPERATOR")),
        }
    }

    /// Reads `ON abort=Rollback`.
    fn configured(spec: &Spec, place: Span) -> Result<Self, CheckError> {
        let text = spec.sources().text(place);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let about = match word {
            "ON" => Ok(About::On),
            "ALSO" => Ok(About::Also),
            _ => Err("a rule for omnilink begins with ON or ALSO".to_owned()),
        };
        let read = about.and_then(|about| Self::new(about, rest.trim()));
        read.map(|rule| Self { place: Some(place), ..rule }).map_err(|wrong| {
            let hint = "write `ON abort=OPERATOR`, `ON terminate=OPERATOR` or `ALSO ACTION=OPERATOR`";
            CheckError::Specification(TlaError::new(Diagnostic::error(wrong).at(place).hint(hint), spec.sources()))
        })
    }

    /// The option and its value on a command line.
    pub fn words(&self) -> [String; 2] {
        let option = match self.about {
            About::On => "--on",
            About::Also => "--also",
        };
        [option.to_owned(), format!("{}={}", self.name, self.operator)]
    }

    /// The operator has one parameter, the event.
    fn check_operator(&self, spec: &Spec) -> Result<(), CheckError> {
        let suitable = spec.program().definitions.iter().filter(|definition| definition.params.len() == 1);
        self.check_name(spec, "operator of one parameter, the event,", &self.operator, || {
            suitable.clone().map(|definition| definition.name.as_str())
        })
    }

    /// The action is one of the specification's, or a pair of `X_Step` and `X_Done`.
    fn check_action(&self, spec: &Spec) -> Result<(), CheckError> {
        let actions = spec.actions().actions.iter().map(|action| action.name.as_str());
        self.check_name(spec, "action", &self.name, || {
            actions.clone().flat_map(|name| [name, name.strip_suffix("_Done").unwrap_or(name)])
        })
    }

    fn check_name<'a, Names: Iterator<Item = &'a str>>(
        &self,
        spec: &Spec,
        kind: &str,
        name: &str,
        known: impl Fn() -> Names,
    ) -> Result<(), CheckError> {
        if known().any(|known| known == name) {
            return Ok(());
        }
        Err(self.refused(spec, format!("the specification has no {kind} `{name}`"), did_you_mean(name, known())))
    }

    fn clashes_with(&self, first: &Self, spec: &Spec) -> CheckError {
        let hint = match self.about {
            About::On => "leave one of them out",
            About::Also => "leave one of them out, or define an operator that says both",
        };
        let message = format!("there is another rule for `{}`: {}", self.name, first.whereabouts(spec));
        self.refused(spec, message, Some(hint.to_owned()))
    }

    fn whereabouts(&self, spec: &Spec) -> String {
        match self.place {
            Some(span) => {
                let (path, place) = spec.sources().place(span);
                format!("`{}` ({}:{})", spec.sources().text(span), path.display(), place.line)
            }
            None => format!("`{}`", self.words().join(" ")),
        }
    }

    fn refused(&self, spec: &Spec, message: String, hint: Option<String>) -> CheckError {
        let Some(place) = self.place else {
            let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
            return CheckError::Rule(format!("{}: {message}{hint}", self.words().join(" ")));
        };
        let mut diagnostic = Diagnostic::error(message).at(place);
        diagnostic.hint = hint;
        CheckError::Specification(TlaError::new(diagnostic, spec.sources()))
    }
}
