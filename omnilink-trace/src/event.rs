//! The event model: the content of a trace, independent of its format.

use std::sync::Arc;

use crate::value::Value;

/// Index of a lane: a sequence of calls that cannot overlap, such as those of one thread.
pub type LaneId = u32;

/// Index of an action in a [`Vocabulary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// Index of a parameter or variable name in a [`Vocabulary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// An action as traces declare it: an operator of the specification and the names of its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Action {
    /// Name of the operator.
    pub name: Arc<str>,
    /// Its parameters, in order.
    pub params: Vec<NameId>,
}

/// A call of one of the specification's actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Where the call happened.
    pub lane: LaneId,
    /// Number of the event in its lane, from 0.
    pub index: u64,
    /// What may have happened: one action; several if the result that would have decided was never seen; none if
    /// nothing is known about it.
    pub candidates: Candidates,
    /// Arguments by name, in the order of the parameters. With several candidates these are the arguments of all
    /// of them; a candidate takes those that it has parameters for.
    pub args: Vec<Argument>,
    /// When.
    pub timebox: Timebox,
    /// How the call ended.
    pub outcome: Outcome,
    /// Recorded updates of the specification's variables.
    pub effects: Vec<Effect>,
    /// Metadata, in order.
    pub meta: Vec<(Box<str>, Value)>,
    /// Offset of the event's record in its file (of the slot for a pending call), for messages.
    pub offset: u64,
}

impl Event {
    /// True if the arguments are those of the candidates, in their order.
    #[inline]
    pub(crate) fn args_are_of(&self, vocabulary: &Vocabulary) -> bool {
        let params = self.args.iter().map(|arg| arg.param);
        match &self.candidates {
            Candidates::One(action) => params.eq(vocabulary.action(*action).params.iter().copied()),
            Candidates::Several(actions) => params.eq(vocabulary.union_of_params(actions)),
        }
    }
}

/// The actions that an event may stand for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Candidates {
    /// Exactly this action.
    One(ActionId),
    /// One of these actions; empty: any action of the specification.
    Several(Box<[ActionId]>),
}

impl Candidates {
    /// The candidates as a list.
    pub fn as_slice(&self) -> &[ActionId] {
        match self {
            Self::One(action) => std::slice::from_ref(action),
            Self::Several(actions) => actions,
        }
    }
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The parameter that it is for.
    pub param: NameId,
    /// Its value; `None` if it was never recorded.
    pub value: Option<Value>,
}

/// The closed interval of clock readings that encloses every effect of a call.
///
/// Closed, and ties overlap. Take two threads on one clock: the first reads 5 at its call's end, then the second reads
/// 5 at its call's start. The clock does not show which came first within tick 5; if intervals were half-open we
/// would claim an order that was not observed and could reject a correct program. So `a` precedes `b` only if
/// `a.end < b.start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timebox {
    /// Clock reading before the call's first effect.
    pub start: u64,
    /// Clock reading after its last effect; `None` if the call never ended.
    pub end: Option<u64>,
}

impl Timebox {
    /// True if this call ended before `later` started.
    pub fn precedes(&self, later: &Self) -> bool {
        self.end.is_some_and(|end| end < later.start)
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It returned.
    Done,
    /// The user's code says that it took no effect.
    Aborted,
    /// It ended, by a panic or by being dropped, and may or may not have taken effect.
    Indeterminate,
    /// It was open when recording ended: it may or may not have taken effect, then or later.
    Pending,
}

/// An update of a variable of the specification, as trace validation of distributed programs records them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The variable.
    pub variable: NameId,
    /// Arguments that lead to the updated place: `x[1]["a"]` is `[1, "a"]`; empty for the whole variable.
    pub path: Vec<Value>,
    /// What is done there, such as `Update` or `AddElement`.
    pub operation: Box<str>,
    /// With which values.
    pub args: Vec<Value>,
}

/// A lane's thread terminated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Termination {
    /// Which lane.
    pub lane: LaneId,
    /// When it had ended; as the end of a timebox, it is widened by the clock's uncertainty and slack.
    pub time: u64,
    /// What the user's clean-up noted; `signal` if a signal killed the thread.
    pub meta: Vec<(Box<str>, Value)>,
}

/// One item of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A call.
    Event(Event),
    /// The end of the lane's thread.
    Terminated(Termination),
}

/// All actions and names that a trace mentions.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    names: Vec<Arc<str>>,
    name_ids: std::collections::HashMap<Arc<str>, NameId>,
    actions: Vec<Action>,
    action_ids: std::collections::HashMap<Action, ActionId>,
}

impl Vocabulary {
    /// The identity of `name`, which is added if it is new.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let id = NameId(self.names.len() as u32);
        self.names.push(Arc::clone(&name));
        self.name_ids.insert(name, id);
        id
    }

    /// The identity of the action with this name and these parameters, which is added if it is new.
    pub fn intern_action<S: AsRef<str>>(&mut self, name: &str, params: &[S]) -> ActionId {
        let params = params.iter().map(|param| self.intern(param.as_ref())).collect();
        let name = self.intern(name);
        let action = Action { name: Arc::clone(&self.names[name.0 as usize]), params };
        if let Some(&id) = self.action_ids.get(&action) {
            return id;
        }
        let id = ActionId(self.actions.len() as u32);
        self.actions.push(action.clone());
        self.action_ids.insert(action, id);
        id
    }

    /// The parameters of these actions, each once, in order of first appearance: what an event has arguments for that
    /// stands for one of them.
    pub fn union_of_params(&self, actions: &[ActionId]) -> Vec<NameId> {
        if let [action] = actions {
            return self.action(*action).params.clone();
        }
        let mut seen = std::collections::HashSet::new();
        let params = actions.iter().flat_map(|&action| &self.action(action).params);
        params.copied().filter(|&param| seen.insert(param)).collect()
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The identity of a name, if the trace mentions it.
    pub fn find(&self, name: &str) -> Option<NameId> {
        self.name_ids.get(name).copied()
    }

    /// An action.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.0 as usize]
    }

    /// All actions.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = (ActionId, &Action)> {
        self.actions.iter().enumerate().map(|(i, action)| (ActionId(i as u32), action))
    }
}
