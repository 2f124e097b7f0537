//! Choices that the next-state relation leads to whatever the state is, made ready for being tried in many states.

use std::sync::Arc;

use omnilink_tla::Spec;
use omnilink_tla::spec::{ActionId, DirectAction, Entry};

use crate::history::{ChoiceId, History};

/// Such choices of a history.
pub(crate) struct Directs<'a> {
    /// The specification's actions, laid out.
    actions: Arc<[DirectAction<'a>]>,
    /// Where runs of them begin, by [`ChoiceId`]: of the action, and of an inner step of it. None for other choices.
    entries: Vec<Option<[Entry; 2]>>,
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
        let entries = history.all_choices().iter().map(|choice| {
            let entry = |inner| actions[choice.act.action(inner).0].entry(history.args(choice));
            choice.direct.then(|| [entry(false), entry(true)])
        });
        Self { entries: entries.collect(), actions }
    }

    /// How to run a choice's action, or an inner step of it, if it is one of these.
    #[inline]
    pub fn get(&self, choice: ChoiceId, action: ActionId, inner: bool) -> Option<(&DirectAction<'a>, Entry)> {
        let entries = self.entries[choice.0 as usize].as_ref()?;
        Some((&self.actions[action.0], entries[usize::from(inner)]))
    }
}
