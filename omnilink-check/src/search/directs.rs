//! Choices that the next-state relation leads to whatever the state is, made ready for being tried in many states.

use std::sync::Arc;

use omnilink_tla::Spec;
use omnilink_tla::spec::{ActionId, DirectAction, Entry};

use crate::history::{ChoiceId, History};

/// Such choices of a history, as far as nothing else is asked of them.
pub(crate) struct Directs<'a> {
    /// The specification's actions, laid out.
    actions: Arc<[DirectAction<'a>]>,
    /// How to try each choice, by [`ChoiceId`], and how an inner step of it.
    runs: Vec<Option<[Run; 2]>>,
}

/// How to try an action.
#[derive(Clone, Copy)]
struct Run {
    action: ActionId,
    entry: Entry,
}

impl<'a> Directs<'a> {
    pub fn new(spec: &'a Spec, history: &History) -> Self {
        let actions = (0..spec.actions().actions.len()).map(|action| spec.lay_out(ActionId(action)));
        Self::with(actions.collect(), history)
    }

    /// Those of another history.
    pub fn of_part(&self, history: &History) -> Self {
        Self::with(Arc::clone(&self.actions), history)
    }

    fn with(actions: Arc<[DirectAction<'a>]>, history: &History) -> Self {
        let runs = history.all_choices().iter().map(|choice| {
            let run = |inner| {
                let action = choice.act.action(inner);
                Run { action, entry: actions[action.0].entry(history.args(choice)) }
            };
            (choice.direct && choice.condition.is_none()).then(|| [run(false), run(true)])
        });
        Self { runs: runs.collect(), actions }
    }

    /// How to try a choice, or an inner step of it, if it is one of these.
    #[inline]
    pub fn get(&self, choice: ChoiceId, inner: bool) -> Option<(&DirectAction<'a>, Entry)> {
        let Run { action, entry } = self.runs[choice.0 as usize].as_ref()?[usize::from(inner)];
        Some((&self.actions[action.0], entry))
    }
}
