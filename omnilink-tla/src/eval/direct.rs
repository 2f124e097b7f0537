//! Running an action with arguments that are all known, without a next-state relation around it.

use super::action::{Manner, Sink};
use super::env::{Binding, Env, Frame};
use super::{Context, Evaluator, Failure};
use crate::ir::Definition;
use crate::source::Span;
use crate::value::Value;

impl Evaluator<'_> {
    /// Finds the next states that a definition makes, as it would be called somewhere with these arguments.
    pub fn run_call(
        &self,
        (definition, called_at): (&Definition, Span),
        args: &[Option<Value>],
        cx: Context<'_>,
        manner: Manner<'_>,
        sink: Sink<'_>,
    ) -> Result<(), Failure> {
        let Some(body) = &definition.action else { unreachable!("routes lead to actions") };
        let mut run = |frame: &[Binding<'_>]| self.run_in(body, &Env { bindings: frame, up: None }, cx, manner, sink);
        let bound = |value: &Value| Binding::Value(value.clone());
        match args {
            [] => run(&[]),
            [Some(only)] => run(&[bound(only)]),
            [Some(first), Some(second)] => run(&[bound(first), bound(second)]),
            _ => run(&args.iter().flatten().map(bound).collect::<Frame<'_>>()),
        }
        .map_err(|failure| failure.inside_action(definition.name.as_str(), called_at, 1))
    }
}
