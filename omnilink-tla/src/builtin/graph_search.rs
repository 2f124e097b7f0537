//! What the modules about graphs search for. Edges are pairs of nodes; those to or from what is no node do not count.

use std::collections::BTreeMap;

use omnilink_budget::poll;

use super::{BuiltinModule, Native, Outcome, exactly};
use crate::value::{MAX_ELEMENTS, Problem, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "_GraphSearch",
    standard: false,
    extends: &[],
    operators: &[
        Native::many("ReachedFrom", &[0, 0, 0], reached),
        Native::two("SimplePaths", |nodes, edges| Search::of(nodes, edges, "apply SimplePath")?.simple_paths(nodes)),
    ],
};

/// The nodes that are reached from one, itself among them.
fn reached(arguments: &[Value]) -> Outcome {
    let [from, nodes, edges] = exactly(arguments);
    let search = Search::of(nodes, edges, "search a graph")?;
    let Some(from) = search.number(from) else { return Ok(Value::empty_set()) };
    let (mut seen, mut open) = (vec![false; search.nodes.len()], vec![from]);
    seen[from] = true;
    while let Some(node) = open.pop() {
        poll();
        for next in &search.next[node] {
            if !std::mem::replace(&mut seen[*next], true) {
                open.push(*next);
            }
        }
    }
    Value::set(search.nodes.iter().zip(seen).filter(|(_, seen)| *seen).map(|(node, _)| node.clone()))
}

/// A graph with its nodes numbered.
struct Search {
    nodes: Vec<Value>,
    numbers: BTreeMap<Value, usize>,
    next: Vec<Vec<usize>>,
}

impl Search {
    fn of(nodes: &Value, edges: &Value, doing: &'static str) -> Result<Self, ValueError> {
        let nodes = nodes.to_set(doing)?.listed(doing)?;
        let nodes = nodes.into_iter().map(Value::normalize).collect::<Result<Vec<_>, _>>()?;
        let numbers = nodes.iter().cloned().zip(0..).collect();
        let mut search = Self { next: vec![Vec::new(); nodes.len()], nodes, numbers };
        for edge in edges.to_set(doing)?.listed(doing)? {
            let edge = edge.to_tuple(doing)?;
            let ends = [edge.get(0), edge.get(1)].map(|end| search.number(end?));
            if let ([Some(from), Some(to)], 2) = (ends, edge.len()) {
                search.next[from].push(to);
            }
        }
        Ok(search)
    }

    fn number(&self, node: &Value) -> Option<usize> {
        self.numbers.get(&node.clone().normalize().ok()?).copied()
    }

    /// All paths that are not empty and visit no node twice.
    fn simple_paths(&self, nodes: &Value) -> Outcome {
        let mut paths = Vec::new();
        let mut open: Vec<Vec<usize>> = (0..self.nodes.len()).map(|node| vec![node]).collect();
        while let Some(path) = open.pop() {
            poll();
            if paths.len() == MAX_ELEMENTS {
                let doing = "list all simple paths";
                return Err(Problem::TooLarge { set: nodes.clone(), limit: MAX_ELEMENTS, doing }.into());
            }
            let last = path[path.len() - 1];
            open.extend(self.next[last].iter().filter(|next| !path.contains(next)).map(|next| {
                let mut longer = path.clone();
                longer.push(*next);
                longer
            }));
            paths.push(Value::tuple(path.into_iter().map(|node| self.nodes[node].clone()))?);
        }
        Value::set(paths)
    }
}
