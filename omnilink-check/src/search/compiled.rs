//! Choices of events as compiled actions.
//!
//! Where the next-state relation allows a choice in every state, only its action is left to try: it is compiled once and run in
//! many states, without a look at the relation.

use std::sync::Arc;

use omnilink_tla::Spec;
use omnilink_tla::internal::analysis::{CompiledAction, Entry};
use omnilink_tla::spec::ActionId;

use crate::history::History;
use crate::timeline::ChoiceId;

/// Such choices of a history, as far as no condition is attached to them.
pub(crate) struct CompiledChoices<'a> {
    /// The specification's actions, compiled.
    actions: Arc<[CompiledAction<'a>]>,
    /// How to try each choice, by [`ChoiceId`], and how an inner step of it.
    runs: Vec<Option<[Run; 2]>>,
}

/// How to try an action.
#[derive(Clone, Copy)]
struct Run {
    action: ActionId,
    entry: Entry,
}

impl<'a> CompiledChoices<'a> {
    pub fn new(spec: &'a Spec, history: &History) -> Self {
        let actions = (0..spec.actions().actions.len()).map(|action| spec.compile_action(ActionId(action)));
        Self::with(actions.collect(), history)
    }

    /// Those of another history.
    pub fn of_part(&self, history: &History) -> Self {
        Self::with(Arc::clone(&self.actions), history)
    }

    fn with(actions: Arc<[CompiledAction<'a>]>, history: &History) -> Self {
        let runs = history.all_choices().iter().map(|choice| {
            let run = |inner| {
                let action = choice.act.action(inner);
                Run { action, entry: actions[action.0].entry(history.args(choice)) }
            };
            (choice.unconditional && choice.condition.is_none()).then(|| [run(false), run(true)])
        });
        Self { runs: runs.collect(), actions }
    }

    /// How to try a choice, or an inner step of it, if it is one of these.
    #[inline]
    pub fn get(&self, choice: ChoiceId, inner: bool) -> Option<(&CompiledAction<'a>, Entry)> {
        let Run { action, entry } = self.runs[choice.0 as usize].as_ref()?[usize::from(inner)];
        Some((&self.actions[action.0], entry))
    }
}
