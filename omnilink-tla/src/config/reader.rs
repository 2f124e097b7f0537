//! From words to a [`ConfigFile`].

use super::lexer::{Kind, Token, Words, words};
use super::{Assignment, ConfigFile, Given, Named};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};
use crate::suggest::did_you_mean;
use crate::symbol::Symbol;
use crate::syntax::operators::by_spelling;
use crate::value::Value;

/// The words that begin a section.
const KEYWORDS: &[&str] = &[
    "CONSTANTS",
    "CONSTANT",
    "INIT",
    "NEXT",
    "SPECIFICATION",
    "INVARIANTS",
    "INVARIANT",
    "PROPERTIES",
    "PROPERTY",
    "CONSTRAINTS",
    "CONSTRAINT",
    "ACTION_CONSTRAINTS",
    "ACTION_CONSTRAINT",
    "SYMMETRY",
    "VIEW",
    "ALIAS",
    "POSTCONDITION",
    "CHECK_DEADLOCK",
];

/// How deep sets may nest; reading them is recursive.
const MAX_NESTING: usize = 100;

pub(super) struct Reader {
    tokens: Vec<Token>,
    remarks: Vec<Span>,
    at: usize,
}

impl Reader {
    pub(super) fn new(sources: &Sources, file: FileId) -> Result<Self, Diagnostic> {
        let Words { tokens, remarks } = words(sources, file)?;
        Ok(Self { tokens, remarks, at: 0 })
    }

    pub(super) fn config(mut self) -> Result<ConfigFile, Diagnostic> {
        let mut config = ConfigFile { remarks: std::mem::take(&mut self.remarks), ..ConfigFile::default() };
        while *self.kind() != Kind::End {
            let section = self.keyword().ok_or_else(|| self.expected_keyword())?;
            let span = self.advance();
            match section {
                "CONSTANT" | "CONSTANTS" => self.assignments(&mut config.constants)?,
                "INVARIANT" | "INVARIANTS" => self.names(&mut config.invariants)?,
                "PROPERTY" | "PROPERTIES" => self.names(&mut config.properties)?,
                "CONSTRAINT" | "CONSTRAINTS" => self.names(&mut config.constraints)?,
                "ACTION_CONSTRAINT" | "ACTION_CONSTRAINTS" => self.names(&mut config.action_constraints)?,
                "CHECK_DEADLOCK" => {
                    let check = self.boolean()?;
                    set_once(&mut config.check_deadlock, check, section, span)?;
                }
                _ => {
                    let name = self.definition()?;
                    let place = match section {
                        "INIT" => &mut config.init,
                        "NEXT" => &mut config.next,
                        "SPECIFICATION" => &mut config.specification,
                        "SYMMETRY" => &mut config.symmetry,
                        "VIEW" => &mut config.view,
                        "ALIAS" => &mut config.alias,
                        _ => &mut config.postcondition,
                    };
                    set_once(place, name, section, span)?;
                }
            }
        }
        Ok(config)
    }

    pub(super) fn only_assignments(mut self) -> Result<Vec<Assignment>, Diagnostic> {
        let mut assignments = Vec::new();
        self.assignments(&mut assignments)?;
        if *self.kind() == Kind::End { Ok(assignments) } else { Err(self.expected("an assignment")) }
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Goes to the next token and says where the last one was.
    fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    fn take(&mut self, kind: &Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn take_mark(&mut self, mark: char) -> bool {
        self.take(&Kind::Mark(mark))
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.kind() {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Number(number) => number.to_string(),
            Kind::Text(text) => format!("{text:?}"),
            Kind::Arrow => "`<-`".to_owned(),
            Kind::Mark(mark) => format!("`{mark}`"),
            Kind::Operator(operator) => format!("`{operator}`"),
            Kind::End => "the end".to_owned(),
        };
        Diagnostic::error(format!("expected {what}, found {found}")).at(self.span())
    }

    fn expected_keyword(&self) -> Diagnostic {
        let mut error = self.expected("a keyword such as INIT or CONSTANTS");
        if let Kind::Word(word) = self.kind() {
            error.hint = did_you_mean(word, KEYWORDS.iter().copied());
        }
        error
    }

    /// The keyword that stands here, if one does.
    fn keyword(&self) -> Option<&'static str> {
        let Kind::Word(word) = self.kind() else { return None };
        KEYWORDS.iter().copied().find(|keyword| keyword == word)
    }

    /// Whether the section ends here.
    fn at_section_end(&self) -> bool {
        *self.kind() == Kind::End || self.keyword().is_some()
    }

    fn names(&mut self, names: &mut Vec<Named>) -> Result<(), Diagnostic> {
        while !self.at_section_end() {
            names.push(self.definition()?);
        }
        Ok(())
    }

    /// The name of a definition, which may be one of an instance.
    fn definition(&mut self) -> Result<Named, Diagnostic> {
        self.name("the name of a definition")
    }

    fn name(&mut self, what: &str) -> Result<Named, Diagnostic> {
        let mut text = self.simple_name(what)?.to_owned();
        let mut span = self.advance();
        while self.take_mark('!') {
            text.push('!');
            text.push_str(self.simple_name("a name after `!`")?);
            span = span.to(self.advance());
        }
        Ok(Named { name: Symbol::new(&text), span })
    }

    fn simple_name(&self, what: &str) -> Result<&str, Diagnostic> {
        match self.kind() {
            Kind::Word(word) if self.keyword().is_none() => Ok(word),
            Kind::Operator(operator) => Ok(by_spelling(operator).map_or(operator, |known| known.name)),
            Kind::Mark('-') => Ok("-"),
            _ => Err(self.expected(what)),
        }
    }

    fn boolean(&mut self) -> Result<bool, Diagnostic> {
        let value = match self.kind() {
            Kind::Word(word) if word == "TRUE" => true,
            Kind::Word(word) if word == "FALSE" => false,
            _ => return Err(self.expected("TRUE or FALSE")),
        };
        self.advance();
        Ok(value)
    }

    fn assignments(&mut self, assignments: &mut Vec<Assignment>) -> Result<(), Diagnostic> {
        while !self.at_section_end() {
            if *self.kind() == Kind::Mark(',') {
                return Err(self.expected("the next constant").hint("assignments are separated by spaces alone"));
            }
            let name = self.name("the name of a constant")?;
            let to = self.given(name)?;
            assignments.push(Assignment { name, to });
        }
        Ok(())
    }

    fn given(&mut self, name: Named) -> Result<Given, Diagnostic> {
        if self.take(&Kind::Arrow) {
            return self.replacement();
        }
        let arguments = if self.take_mark('(') { Some(self.values(')', 0)?) } else { None };
        if !self.take_mark('=') {
            return Err(self.expected(if arguments.is_some() { "`=`" } else { "`=` or `<-`" }));
        }
        if arguments.is_none() && *self.kind() == Kind::Mark('[') {
            let module = self.module()?;
            return Ok(Given::OfModule { module, value: self.value(0)? });
        }
        if let Some(arguments) = arguments {
            return Ok(Given::Entry { arguments, result: self.value(0)? });
        }
        match self.value(0)? {
            Value::Model(model) if model == name.name => Ok(Given::Model),
            value => Ok(Given::Value(value)),
        }
    }

    fn replacement(&mut self) -> Result<Given, Diagnostic> {
        let module = if *self.kind() == Kind::Mark('[') { Some(self.module()?) } else { None };
        Ok(Given::Replacement { module, by: self.definition()? })
    }

    /// `[Module]`
    fn module(&mut self) -> Result<Named, Diagnostic> {
        self.advance();
        let module = self.name("the name of a module")?;
        if self.take_mark(']') { Ok(module) } else { Err(self.expected("`]`")) }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Diagnostic> {
        let value = match self.kind() {
            Kind::Mark('{') => return self.set(depth),
            Kind::Mark('-') => return self.negative(),
            Kind::Number(number) => Value::Int(*number),
            Kind::Text(text) => Value::string(text),
            Kind::Word(word) => match word.as_str() {
                "TRUE" => Value::Bool(true),
                "FALSE" => Value::Bool(false),
                _ if self.keyword().is_some() => return Err(self.expected("a value")),
                model => Value::model(model),
            },
            Kind::Mark(_) | Kind::Arrow | Kind::Operator(_) | Kind::End => return Err(self.expected("a value")),
        };
        self.advance();
        Ok(value)
    }

    fn negative(&mut self) -> Result<Value, Diagnostic> {
        self.advance();
        let Kind::Number(number) = *self.kind() else { return Err(self.expected("a number")) };
        self.advance();
        Ok(Value::Int(-number))
    }

    fn set(&mut self, depth: usize) -> Result<Value, Diagnostic> {
        let opening = self.advance();
        if depth == MAX_NESTING {
            return Err(Diagnostic::error(format!("sets nest more than {MAX_NESTING} deep")).at(opening));
        }
        let elements = self.values('}', depth + 1)?;
        let span = opening.to(self.tokens[self.at - 1].span);
        Value::set(elements).map_err(|error| Diagnostic::error(error.to_string()).at(span))
    }

    /// Values between commas, and the closing bracket.
    fn values(&mut self, close: char, depth: usize) -> Result<Vec<Value>, Diagnostic> {
        let mut values = Vec::new();
        if self.take_mark(close) {
            return Ok(values);
        }
        loop {
            values.push(self.value(depth)?);
            if self.take_mark(close) {
                return Ok(values);
            }
            if !self.take_mark(',') {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }
}

fn set_once<T>(place: &mut Option<T>, value: T, section: &str, span: Span) -> Result<(), Diagnostic> {
    match place.replace(value) {
        Some(_) => Err(Diagnostic::error(format!("{section} is given twice")).at(span)),
        None => Ok(()),
    }
}
