//! Random specifications: an automaton as a table, and the same as TLA+ text in varied ways. Only the checker reads the text.

use std::fmt::Write as _;

use super::laws::Laws;
use crate::random::Random;

/// Values that a parameter can have: 0 and 1.
pub const VALUES: usize = 2;

/// A random automaton.
#[derive(Debug, Clone)]
pub struct Automaton {
    pub states: usize,
    pub inits: Vec<usize>,
    pub actions: Vec<Action>,
    pub laws: Laws,
    encoding: usize,
}

/// An action, or a pair of them.
#[derive(Debug, Clone)]
pub struct Action {
    pub name: String,
    /// Its parameters are the first of `x` and `y`.
    pub arity: usize,
    /// It is said to be `UNCHANGED`.
    pub reads: bool,
    pub step: Option<Half>,
    pub done: Half,
}

/// What one action can do.
#[derive(Debug, Clone)]
pub struct Half {
    /// The states that it leads to as bits, by state and arguments, whatever its bounds.
    table: Vec<u32>,
    /// By state: the values of `x` that Next allows, as bits.
    bound: Vec<u32>,
    ignores: bool,
    style: usize,
}

impl Half {
    pub fn random(states: usize, arity: usize, reads: bool, random: &mut Random) -> Self {
        let (density, ignores) = (20 + random.below(50), arity == 0 || random.chance(30));
        let mut table = vec![0; states * VALUES * VALUES];
        for (at, entry) in table.iter_mut().enumerate() {
            let state = at / (VALUES * VALUES);
            let is_used = arity == 2 || at % VALUES == 0;
            if !is_used || !random.chance(density) {
                continue;
            }
            *entry = if reads { 1 << state } else { 1 << random.below(states) };
            if !reads && random.chance(20) {
                *entry |= 1 << random.below(states);
            }
        }
        if ignores {
            for at in 0..table.len() {
                table[at] = table[at - at % (VALUES * VALUES)];
            }
        }
        let all = (1 << VALUES) - 1;
        let bound = (0..states).map(|_| if random.chance(20) { 1 << random.below(VALUES) } else { all }).collect();
        Self { table, bound, ignores, style: random.below(3) }
    }

    /// Where it leads.
    pub fn next(&self, state: usize, args: [usize; 2], arity: usize) -> u32 {
        if arity > 0 && !self.allows(state, args[0]) {
            return 0;
        }
        self.unbound(state, args)
    }

    /// Where its definition leads, whatever Next allows.
    pub fn unbound(&self, state: usize, args: [usize; 2]) -> u32 {
        self.table[state * VALUES * VALUES + args[0] * VALUES + args[1]]
    }

    /// Whether Next allows a value of `x`.
    pub fn allows(&self, state: usize, x: usize) -> bool {
        self.bound[state] >> x & 1 == 1
    }

    /// Whether no step of it with these arguments changes the state.
    pub fn changes_nothing(&self, args: [Option<usize>; 2]) -> bool {
        let is_meant = |place: usize, value: usize| args[place].is_none_or(|arg| arg == value);
        self.table.iter().enumerate().all(|(at, mask)| {
            let is_meant = is_meant(0, at / VALUES % VALUES) && is_meant(1, at % VALUES);
            !is_meant || mask & !(1 << (at / (VALUES * VALUES))) == 0
        })
    }

    /// Its definition; `assign` makes `n` the next state.
    pub fn formula(&self, arity: usize, reads: bool, assign: &str) -> String {
        let to = |mask: u32| {
            if reads { "UNCHANGED vars".to_owned() } else { format!("\\E n \\in {} : {assign}", set(mask)) }
        };
        let arity = if self.ignores { 0 } else { arity };
        let mut rows: Vec<(usize, String, u32)> = Vec::new();
        for (at, &mask) in self.table.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let (state, x, y) = (at / (VALUES * VALUES), at / VALUES % VALUES, at % VALUES);
            let given = match arity {
                0 if (x, y) != (0, 0) => continue,
                1 if y != 0 => continue,
                0 => "TRUE".to_owned(),
                1 => format!("x = {x}"),
                _ => format!("x = {x} /\\ y = {y}"),
            };
            rows.push((state, given, mask));
        }
        if rows.is_empty() {
            return "FALSE /\\ UNCHANGED vars".to_owned();
        }
        let states: Vec<usize> = (0..self.bound.len()).filter(|state| rows.iter().any(|row| row.0 == *state)).collect();
        let of = |state: usize| rows.iter().filter(move |row| row.0 == state);
        match self.style {
            0 => {
                let row = |(state, given, mask): &(usize, String, u32)| {
                    format!("\n    \\/ S = {state} /\\ {given} /\\ ({})", to(*mask))
                };
                rows.iter().map(row).collect()
            }
            1 => {
                let arm = |&state: &usize| {
                    let ifs = of(state).fold("FALSE".to_owned(), |rest, (_, given, mask)| {
                        format!("(IF {given} THEN ({}) ELSE {rest})", to(*mask))
                    });
                    format!("S = {state} -> {ifs}")
                };
                format!("CASE {} [] OTHER -> FALSE", states.iter().map(arm).collect::<Vec<_>>().join("\n      [] "))
            }
            _ => {
                let row = |(state, given, mask): &(usize, String, u32)| {
                    format!("IF i = {state} /\\ {given} THEN {}", set(*mask))
                };
                let table = rows.iter().map(row).collect::<Vec<_>>().join(" ELSE ");
                let then = if reads { "UNCHANGED vars".to_owned() } else { format!("\\E n \\in t[S] : {assign}") };
                format!("LET t == [i \\in 0..9 |-> {table} ELSE {{}}] IN t[S] # {{}} /\\ {then}")
            }
        }
    }

    fn in_next(&self, name: &str, arity: usize) -> String {
        let mut bound = "0..1".to_owned();
        for (state, mask) in self.bound.iter().enumerate().filter(|(_, mask)| mask.count_ones() == 1) {
            bound = format!("IF S = {state} THEN {} ELSE {bound}", set(*mask));
        }
        match arity {
            0 => format!("    \\/ {name}\n"),
            1 => format!("    \\/ \\E x \\in {bound} : {name}(x)\n"),
            _ => format!("    \\/ \\E x \\in {bound}, y \\in 0..1 : {name}(x, y)\n"),
        }
    }
}

fn set(mask: u32) -> String {
    let items: Vec<_> = (0..32).filter(|at| mask >> at & 1 == 1).map(|at: u32| at.to_string()).collect();
    format!("{{{}}}", items.join(", "))
}

impl Automaton {
    pub fn random(random: &mut Random) -> Self {
        let states = 2 + random.below(4);
        let count = 2 + random.below(3);
        let action = |at: usize| {
            let (arity, reads) = (random.below(3), random.chance(35));
            let is_pair = !reads && random.chance(60);
            Action {
                name: format!("A{at}"),
                arity,
                reads,
                step: is_pair.then(|| Half::random(states, arity, false, random)),
                done: Half::random(states, arity, reads || is_pair && random.chance(50), random),
            }
        };
        let actions = (0..count).map(action).collect();
        let inits = if random.chance(20) { vec![0, 1] } else { vec![0] };
        let laws = Laws::random(states, count, random);
        Self { states, inits, actions, laws, encoding: random.below(4) }
    }

    /// The module.
    pub fn text(&self) -> String {
        let (variables, s, to) = match self.encoding {
            0 => ("s", "s", "s' = n"),
            1 => ("p, q", "2 * p + q", "p' = n \\div 2 /\\ q' = n % 2"),
            2 => ("r", "r.v", "r' = [r EXCEPT !.v = n]"),
            _ => ("z", "Cardinality(z)", "z' = 1..n"),
        };
        let init = match self.encoding {
            0 => "s = n",
            1 => "p = n \\div 2 /\\ q = n % 2",
            2 => "r = [v |-> n]",
            _ => "z = 1..n",
        };
        let inits = self.inits.iter().fold(0, |mask, init| mask | 1 << init);
        let mut text = format!(
            "---- MODULE Automaton ----\nEXTENDS Integers, FiniteSets\nVARIABLES {variables}\nvars == <<{variables}>>\n\
             S == {s}\nInit == \\E n \\in {} : {init}\n",
            set(inits)
        );
        let mut next = String::new();
        for Action { name, arity, reads, step, done } in &self.actions {
            let params = ["", "(x)", "(x, y)"][*arity];
            let halves: Vec<(String, &Half)> = match step {
                Some(step) => vec![(format!("{name}_Step"), step), (format!("{name}_Done"), done)],
                None => vec![(name.clone(), done)],
            };
            for (name, half) in halves {
                let _ = writeln!(text, "{name}{params} == {}", half.formula(*arity, *reads, to));
                next += &half.in_next(&name, *arity);
            }
        }
        text + &self.laws.text(to) + &format!("Next ==\n{next}====\n")
    }

    /// Which state some values of the variables, as text, are.
    pub fn state(&self, values: &[String]) -> usize {
        let number = |text: &str| text.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().expect("a number");
        match self.encoding {
            0 | 2 => number(&values[0]),
            1 => 2 * number(&values[0]) + number(&values[1]),
            _ if values[0] == "{}" => 0,
            _ if values[0].contains("..") => number(values[0].split("..").nth(1).expect("an interval")),
            _ => values[0].split(',').count(),
        }
    }
}
