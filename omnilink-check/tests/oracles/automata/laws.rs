//! Random rules for events, as tables and as text: what aborted calls and ends of threads do, and what has to be true of calls.

use std::fmt::Write as _;

use omnilink_check::rules::Rules;
use omnilink_trace::Outcome;

use super::automaton::{Half, VALUES};
use super::plan::Call;
use crate::random::Random;

/// The rules of an automaton.
#[derive(Debug, Clone)]
pub struct Laws {
    pub abort: Option<Law>,
    pub end: Option<Law>,
    /// By action.
    pub also: Vec<Option<Also>>,
}

/// What an aborted call or the end of a thread does.
#[derive(Debug, Clone)]
pub struct Law {
    pub half: Half,
    key: Key,
}

/// What has to be true of a call.
#[derive(Debug, Clone)]
pub struct Also {
    key: Key,
    /// The steps that are none, as states and the event's number.
    refused: Vec<(usize, usize, usize)>,
    style: usize,
}

/// The number, 0 or 1, that a rule makes of an event.
#[derive(Debug, Clone, Copy)]
enum Key {
    Lane,
    Argument,
    Outcome,
    Action,
}

impl Key {
    fn random(random: &mut Random) -> Self {
        *random.pick(&[Self::Lane, Self::Argument, Self::Outcome, Self::Action])
    }

    fn text(self) -> &'static str {
        match self {
            Self::Lane => "event.lane % 2",
            Self::Argument => "(IF \"x\" \\in DOMAIN event.args THEN event.args.x ELSE 1)",
            Self::Outcome => "(IF event.outcome = \"done\" THEN 0 ELSE 1)",
            Self::Action => "(IF event.action = \"A0\" THEN 0 ELSE 1)",
        }
    }

    /// `has_x` tells whether the call is recorded with a parameter `x`.
    fn of(self, lane: usize, call: &Call, has_x: bool) -> usize {
        match self {
            Self::Lane => lane % 2,
            Self::Argument => call.args[0].filter(|_| has_x).unwrap_or(1),
            Self::Outcome => usize::from(call.outcome != Outcome::Done),
            Self::Action => usize::from(call.candidates[0] != 0),
        }
    }
}

impl Law {
    pub fn key(&self, lane: usize, call: &Call, has_x: bool) -> usize {
        self.key.of(lane, call, has_x)
    }

    fn text(&self, name: &str, assign: &str) -> String {
        let does = self.half.formula(1, false, assign);
        format!("{name}(x) == {does}\nOn{name}(event) == {name}({})\n", self.key.text())
    }
}

impl Also {
    pub fn key(&self, lane: usize, call: &Call, has_x: bool) -> usize {
        self.key.of(lane, call, has_x)
    }

    pub fn allows(&self, from: usize, to: usize, key: usize) -> bool {
        !self.refused.contains(&(from, to, key))
    }

    fn text(&self, name: &str) -> String {
        let key = self.key.text();
        let body = match self.style {
            0 => {
                let all: Vec<_> = self.refused.iter().map(|(from, to, of)| format!("<<{from}, {to}, {of}>>")).collect();
                format!("<<S, S', {key}>> \\notin {{{}}}", all.join(", "))
            }
            _ => {
                let one = |(from, to, of): &(usize, usize, usize)| {
                    format!("\n    /\\ ~(S = {from} /\\ S' = {to} /\\ {key} = {of})")
                };
                "\n    /\\ TRUE".to_owned() + &self.refused.iter().map(one).collect::<String>()
            }
        };
        format!("{name}(event) == {body}\n")
    }
}

impl Laws {
    pub fn random(states: usize, actions: usize, random: &mut Random) -> Self {
        let abort =
            random.chance(40).then(|| Law { half: Half::random(states, 1, false, random), key: Key::random(random) });
        let end = random.chance(40).then(|| Law { half: Half::random(states, 1, false, random), key: Key::Lane });
        let mut also = Vec::new();
        for _ in 0..actions {
            also.push(random.chance(15).then(|| {
                let all =
                    (0..states * states * VALUES).map(|at| (at / VALUES / states, at / VALUES % states, at % VALUES));
                Also {
                    key: Key::random(random),
                    refused: all.filter(|_| random.chance(30)).collect(),
                    style: random.below(2),
                }
            }));
        }
        Self { abort, end, also }
    }

    /// The operators.
    pub fn text(&self, assign: &str) -> String {
        let mut text = String::new();
        for (law, name) in [(&self.abort, "Abort"), (&self.end, "End")] {
            text += &law.as_ref().map_or_else(String::new, |law| law.text(name, assign));
        }
        for (at, also) in self.also.iter().enumerate() {
            if let Some(also) = also {
                let _ = write!(text, "{}", also.text(&format!("Also{at}")));
            }
        }
        text
    }

    /// The same as a user gives them.
    pub fn rules(&self) -> Rules {
        let named = (0..self.also.len()).filter(|at| self.also[*at].is_some());
        Rules {
            on_abort: self.abort.as_ref().map(|_| "OnAbort".to_owned()),
            on_terminate: self.end.as_ref().map(|_| "OnEnd".to_owned()),
            also: named.map(|at| (format!("A{at}"), format!("Also{at}"))).collect(),
            actions_only: false,
        }
    }
}
