//! Random specifications: actions on one key each, in many notations, and some that connect keys.

use std::path::Path;

use omnilink_tla::{Options, Spec};

use crate::random::Random;

/// An action: its parameters with the kind of each, and what it does to `f`, `s`, `n` and `d`.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    pub name: &'static str,
    pub params: &'static [(&'static str, Kind)],
    body: &'static str,
    changes: &'static str,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Key,
    Value,
    Truth,
}

use Kind::{Key, Truth, Value};

/// The variables: a function of keys to values, a set of keys, a number, and a function whose domain changes.
const VARIABLES: [&str; 4] = ["f", "s", "n", "d"];

const fn template(
    name: &'static str,
    params: &'static [(&'static str, Kind)],
    changes: &'static str,
    body: &'static str,
) -> Template {
    Template { name, params, body, changes }
}

/// Actions that touch one key.
const OF_A_KEY: &[Template] = &[
    template("Put", &[("k", Key), ("v", Value)], "f", "f' = [f EXCEPT ![k] = v]"),
    template("Get", &[("k", Key), ("v", Value)], "", "f[k] = v"),
    template("Up", &[("k", Key), ("v", Value)], "f", "v = At(k) /\\ f' = [f EXCEPT ![k] = (@ + 1) % 3]"),
    template("Swap", &[("k", Key), ("v", Value), ("old", Value)], "f", "f[k] = old /\\ f' = [f EXCEPT ![k] = v]"),
    template(
        "If",
        &[("k", Key), ("v", Value)],
        "f",
        "IF At(k) = 0 THEN f' = [f EXCEPT ![k] = v] ELSE v = 0 /\\ f' = f",
    ),
    template("Let", &[("k", Key), ("v", Value)], "f", "LET new == (v + f[k]) % 3 IN f' = [f EXCEPT ![k] = new]"),
    template(
        "Or",
        &[("k", Key), ("v", Value)],
        "f",
        "(f[k] = v /\\ f' = [f EXCEPT ![k] = 0]) \\/ (f[k] # v /\\ f' = f)",
    ),
    template("Add", &[("k", Key), ("new", Truth)], "s", "new = (k \\notin s) /\\ s' = s \\cup {k}"),
    template("Take", &[("k", Key)], "s", "k \\in s /\\ s' = s \\ {k}"),
    template("Has", &[("k", Key), ("is", Truth)], "", "is = (k \\in s)"),
    template("Both", &[("k", Key), ("v", Value)], "f, s", "k \\in s /\\ f' = [f EXCEPT ![k] = v] /\\ s' = s \\ {k}"),
    template("Insert", &[("k", Key), ("v", Value)], "d", "d' = (k :> v) @@ d"),
    template("Find", &[("k", Key), ("v", Value)], "", "k \\in DOMAIN d /\\ d[k] = v"),
    template("Lacks", &[("k", Key)], "", "k \\notin DOMAIN d"),
    template("Drop", &[("k", Key)], "d", "d' = [x \\in DOMAIN d \\ {k} |-> d[x]]"),
    template("Tick", &[("v", Value)], "n", "n = v /\\ n' = (n + 1) % 3"),
];

/// Actions that connect keys, or keys and the number.
const CONNECTING: &[Template] = &[
    template("Sum", &[("v", Value)], "", "(f[1] + f[2] + f[3]) % 3 = v"),
    template("Most", &[("v", Value)], "", "\\A k \\in Keys : f[k] <= v"),
    template("Copy", &[("k", Key), ("to", Key)], "f", "f' = [f EXCEPT ![to] = f[k]]"),
    template("Clear", &[], "f", "f' = [k \\in Keys |-> 0]"),
    template("Guarded", &[("k", Key), ("v", Value)], "f", "f[1] # v /\\ f' = [f EXCEPT ![k] = v]"),
    template("Chosen", &[("v", Value)], "f", "f' = [f EXCEPT ![n + 1] = v]"),
    template("Size", &[("v", Value)], "", "Cardinality(s) % 3 = v"),
    template("Empty", &[("is", Truth)], "", "is = (s = {})"),
    template("Stamp", &[("k", Key)], "f", "f' = [f EXCEPT ![k] = n]"),
    template("Keep", &[("k", Key)], "d", "d' = [x \\in DOMAIN d \\cap {k} |-> d[x]]"),
    template("Reset", &[("k", Key)], "f, d", "d = <<>> /\\ f' = [f EXCEPT ![k] = 0] /\\ d' = (k :> 1)"),
];

/// A call of two actions: any number of inner steps, and one that ends it.
const STEPWISE: &[Template] = &[
    template("Climb_Step", &[("k", Key)], "f", "f[k] < 2 /\\ f' = [f EXCEPT ![k] = @ + 1]"),
    template("Climb_Done", &[("k", Key)], "s", "f[k] = 2 /\\ s' = s \\cup {k}"),
];

/// Ways to begin.
const INITS: &[&str] = &[
    "f = [k \\in Keys |-> 0] /\\ s = {} /\\ n = 0 /\\ d = <<>>",
    "f = [k \\in Keys |-> k % 2] /\\ s = {1} /\\ n = 1 /\\ d = (2 :> 1)",
    "f \\in [Keys -> 0..1] /\\ s = {} /\\ n = 0 /\\ d = <<>>",
    "f \\in {g \\in [Keys -> 0..1] : g[1] = g[2]} /\\ s \\in {{}, {1, 2}} /\\ n = 0 /\\ d = <<>>",
    "f \\in {g \\in [Keys -> 0..1] : g[1] # g[2] /\\ g[3] = 0} /\\ s = {} /\\ n \\in 0..1 /\\ d = <<>>",
];

/// A specification.
pub struct Specification {
    pub actions: Vec<Template>,
    init: &'static str,
    /// Conditions in the next-state relation: which actions have one.
    guarded: Vec<bool>,
}

impl Specification {
    pub fn random(random: &mut Random) -> Self {
        let mut actions: Vec<Template> = Vec::new();
        let add = |from: &[Template], actions: &mut Vec<Template>, random: &mut Random| {
            let one = *random.pick(from);
            if actions.iter().all(|other| other.name != one.name) {
                actions.push(one);
            }
        };
        for _ in 0..2 + random.below(4) {
            add(OF_A_KEY, &mut actions, random);
        }
        if random.chance(40) {
            add(CONNECTING, &mut actions, random);
        }
        if random.chance(20) {
            actions.extend(STEPWISE);
        }
        let guarded = actions.iter().map(|_| random.chance(5)).collect();
        let init = if random.chance(60) { INITS[random.below(2)] } else { *random.pick(INITS) };
        Self { actions, init, guarded }
    }

    pub fn text(&self) -> String {
        let mut text =
            "---- MODULE Parts ----\nEXTENDS Integers, FiniteSets, TLC\nVARIABLES f, s, n, d\nKeys == 1..3\n\
                        At(k) == f[k]\n"
                .to_owned();
        text += &format!("Init == {}\n", self.init);
        let mut disjuncts = Vec::new();
        for (Template { name, params, body, changes }, guarded) in self.actions.iter().zip(&self.guarded) {
            let names: Vec<_> = params.iter().map(|(param, _)| *param).collect();
            let head = if names.is_empty() { (*name).to_owned() } else { format!("{name}({})", names.join(", ")) };
            let rest: Vec<_> = VARIABLES.iter().filter(|it| !changes.contains(**it)).copied().collect();
            text += &format!("{head} ==\n  /\\ {}\n  /\\ UNCHANGED <<{}>>\n", body, rest.join(", "));
            let bounds: Vec<_> = params.iter().map(|(param, kind)| format!("{param} \\in {}", kind.set())).collect();
            let call = if *guarded { format!("(f[2] < 2 /\\ {head})") } else { head };
            disjuncts.push(match bounds.is_empty() {
                true => call,
                false => format!("\\E {} : {call}", bounds.join(", ")),
            });
        }
        text += &format!("Next ==\n  \\/ {}\n====\n", disjuncts.join("\n  \\/ "));
        text
    }

    pub fn load(&self, directory: &Path) -> Spec {
        let path = directory.join("Parts.tla");
        std::fs::write(&path, self.text()).expect("it can be written");
        Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{}", self.text()))
    }
}

impl Kind {
    fn set(self) -> &'static str {
        match self {
            Key => "Keys",
            Value => "0..2",
            Truth => "BOOLEAN",
        }
    }
}
