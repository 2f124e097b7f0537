//! Which events touch the same points of the state.

use std::collections::HashMap;

use omnilink_tla::Value;
use omnilink_tla::internal::analysis::{Touch, VariableId};

use super::Part;
use crate::history::Act;
use crate::search::{Problem, SpecProblem};
use crate::timeline::{Event, EventRef};

/// How many events are looked at before all are: mostly these show already that there are no parts.
const SAMPLE: usize = 64;
/// How many points of a variable may be of other kinds than numbers, strings or truth values alone.
const COMPARED: usize = 256;
/// How many points are told of a part.
const TOLD: usize = 4;

/// A history's parts, the smallest first.
pub(crate) struct Partition {
    pub parts: Vec<Part>,
}

impl Partition {
    /// Finds the parts of a problem's history; none if there is only one, or if it cannot be told.
    pub fn of(problem: &SpecProblem<'_>) -> Option<Self> {
        let timeline = &problem.history.timeline;
        if !problem.has_footprints() || !timeline.is_in_order() {
            return None;
        }
        let mut sample = Cells::new(problem);
        let step = timeline.len().div_ceil(SAMPLE).max(1);
        for (_, event) in timeline.events().step_by(step) {
            sample.add(problem, event)?;
        }
        if sample.is_one() {
            return None;
        }
        let mut cells = Cells::new(problem);
        for (_, event) in timeline.events() {
            cells.add(problem, event)?;
        }
        let mut roots = cells.roots();
        let mut parts: Vec<Vec<EventRef>> = Vec::new();
        let mut of_root: HashMap<Option<u32>, usize> = HashMap::new();
        for (nth, (place, _)) in timeline.events().enumerate() {
            let root = cells.nodes_of(nth).find(|node| cells.counts(*node)).map(|node| find(&mut roots, node));
            let part = *of_root.entry(root).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[part].push(place);
        }
        if parts.len() < 2 {
            return None;
        }
        let mut touches = vec![Vec::new(); parts.len()];
        for node in 0..cells.nodes.len() as u32 {
            let part = of_root.get(&Some(find(&mut roots, node))).filter(|_| cells.counts(node));
            if let Some(&part) = part
                && touches[part].len() < TOLD
            {
                touches[part].extend(cells.name(problem, node));
            }
        }
        let make = |(events, touches): (&Vec<EventRef>, Vec<String>)| Part::of(problem, events, touches);
        let mut parts: Vec<Part> = parts.iter().zip(touches).map(make).collect();
        parts.sort_by_key(|part| part.history.timeline.len());
        Some(Self { parts })
    }
}

/// The points of the state that events touch: nodes of a graph, in which events are edges.
struct Cells {
    variables: Vec<Touched>,
    /// The variable of each node, and the point of it: first one node per variable for what is not a point.
    nodes: Vec<(VariableId, Option<Value>)>,
    of_point: HashMap<(VariableId, u128), u32>,
    /// The nodes of all events, and where those of each event end.
    touched: Vec<u32>,
    ends: Vec<usize>,
}

/// How a variable is touched.
#[derive(Default)]
struct Touched {
    /// Some event may change it.
    is_changed: bool,
    /// Some event reads or changes more of it than points.
    is_whole: bool,
    /// What kind of value its points are, if all are numbers, strings or truth values.
    kind: Option<u8>,
    /// Points of other kinds, or of several.
    compared: Vec<Value>,
}

impl Cells {
    fn new(problem: &SpecProblem<'_>) -> Self {
        let count = problem.spec.program().variables.len() as u32;
        Self {
            variables: (0..count).map(|_| Touched::default()).collect(),
            nodes: (0..count).map(|variable| (VariableId(variable), None)).collect(),
            of_point: HashMap::new(),
            touched: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds an event; nothing if it is not known what it touches.
    fn add(&mut self, problem: &SpecProblem<'_>, event: &Event) -> Option<()> {
        let first = self.touched.len();
        for nth in 0..event.choice_count {
            let choice = event.choice(nth);
            let has_steps = matches!(problem.history.choice(choice).act, Act::Steps { .. });
            for inner in [false, true].into_iter().filter(|inner| has_steps || !inner) {
                let footprint = problem.footprint_of(choice, inner)?;
                footprint.touches().try_for_each(|touch| self.touch(&touch, first))?;
            }
        }
        self.ends.push(self.touched.len());
        Some(())
    }

    fn touch(&mut self, touch: &Touch<'_>, first: usize) -> Option<()> {
        let Touch { variable, at, changes } = *touch;
        let touched = &mut self.variables[variable.0 as usize];
        touched.is_changed |= changes;
        let node = match at {
            None => {
                touched.is_whole = true;
                variable.0
            }
            Some(point) => {
                let next = self.nodes.len() as u32;
                let node = *self.of_point.entry((variable, point.fingerprint().0)).or_insert(next);
                if node == next {
                    touched.compare(point)?;
                    self.nodes.push((variable, Some(point.clone())));
                }
                node
            }
        };
        if !self.touched[first..].contains(&node) {
            self.touched.push(node);
        }
        Some(())
    }

    /// The nodes that an event touches.
    fn nodes_of(&self, nth: usize) -> impl Iterator<Item = u32> + '_ {
        let first = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.touched[first..self.ends[nth]].iter().copied()
    }

    /// Whether a node is of a variable that changes: what stays as it is connects nothing.
    fn counts(&self, node: u32) -> bool {
        self.variables[self.nodes[node as usize].0.0 as usize].is_changed
    }

    /// The forest of connected nodes: those of a variable that is touched as a whole, and those that one event touches.
    fn roots(&self) -> Vec<u32> {
        let mut roots: Vec<u32> = (0..self.nodes.len() as u32).collect();
        for (node, (variable, _)) in (0u32..).zip(&self.nodes) {
            if self.variables[variable.0 as usize].is_whole {
                join(&mut roots, variable.0, node);
            }
        }
        for nth in 0..self.ends.len() {
            let mut nodes = self.nodes_of(nth).filter(|node| self.counts(*node));
            if let Some(one) = nodes.next() {
                nodes.for_each(|other| join(&mut roots, one, other));
            }
        }
        roots
    }

    /// Whether all events touch variables as a whole that are connected: more events will not change that.
    fn is_one(&self) -> bool {
        let mut roots = self.roots();
        let whole = |node: &u32| self.counts(*node) && self.variables[*node as usize].is_whole;
        let Some(one) = (0..self.variables.len() as u32).find(whole).map(|node| find(&mut roots, node)) else {
            return false;
        };
        (0..self.ends.len()).all(|nth| {
            let node = self.nodes_of(nth).find(|node| self.counts(*node));
            node.is_none_or(|node| find(&mut roots, node) == one)
        })
    }

    /// A node as TLA+.
    fn name(&self, problem: &SpecProblem<'_>, node: u32) -> Option<String> {
        let (variable, point) = &self.nodes[node as usize];
        let name = problem.spec.program().variables[variable.0 as usize].name;
        match point {
            Some(point) => Some(format!("{name}[{point}]")),
            None => self.variables[variable.0 as usize].is_whole.then(|| name.to_string()),
        }
    }
}

impl Touched {
    /// Notes a point; nothing if it cannot be compared with the others: an action might fail because of those that the actions of
    /// another part have added.
    fn compare(&mut self, point: &Value) -> Option<()> {
        let kind = match point {
            Value::Bool(_) => Some(0),
            Value::Int(_) => Some(1),
            Value::Str(_) => Some(2),
            _ => None,
        };
        if self.compared.is_empty() && kind.is_some() && (self.kind.is_none() || self.kind == kind) {
            self.kind = kind;
            return Some(());
        }
        // Of one kind, all are comparable with what one of them is comparable with; of several, nothing is said.
        let is_comparable = |other: &Value| point.equals(other).is_ok();
        let fits = self.kind.is_none() && self.compared.len() < COMPARED && self.compared.iter().all(is_comparable);
        self.compared.push(point.clone());
        fits.then_some(())
    }
}

/// The root of a node's tree.
fn find(roots: &mut [u32], node: u32) -> u32 {
    let mut node = node;
    while roots[node as usize] != node {
        roots[node as usize] = roots[roots[node as usize] as usize];
        node = roots[node as usize];
    }
    node
}

fn join(roots: &mut [u32], one: u32, other: u32) {
    let (one, other) = (find(roots, one), find(roots, other));
    // Roots have the lowest numbers.
    roots[one.max(other) as usize] = one.min(other);
}
