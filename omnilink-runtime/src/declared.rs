//! What the places of a program declare of its actions, for `run.json`: results and operations.
//!
//! A place speaks for its own calls, a declaration for all calls of an action. So places can differ: where `elem` is a result in one
//! place and an argument in another, or where an action is an outcome of two operations, nobody can tell from a record which
//! of them holds. Such an action is marked as contradictory, and nothing else is said of it.

use std::collections::HashSet;

use crate::run_file::quoted;
use crate::site::{ActionDef, Site};

/// What is declared so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declarations {
    actions: Vec<Declared>,
    operations: Vec<Operation>,
    /// Addresses of the sites whose declarations are among these.
    sites: HashSet<usize>,
}

/// An action, and its results according to one or more places.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared {
    action: ActionDef,
    results: Option<Vec<&'static str>>,
}

/// Actions that are outcomes of one call.
#[derive(Debug, Clone)]
struct Operation {
    name: &'static str,
    /// Whether the program gives it this name; else it is that of its first action.
    is_named: bool,
    actions: Vec<&'static str>,
}

impl Declarations {
    /// Adds what a site declares. True if this is news.
    pub fn add(&mut self, site: &'static Site) -> bool {
        if !self.sites.insert(std::ptr::from_ref(site).addr()) {
            return false;
        }
        let before = self.to_json();
        for (index, action) in site.actions().iter().enumerate() {
            self.add_results(action, site.results_of(index).map(<[_]>::to_vec));
        }
        match site.declared_operations() {
            Some(operations) => {
                for (action, &name) in site.actions().iter().zip(operations) {
                    self.add_operation(Operation { name, is_named: true, actions: vec![action.name] });
                }
            }
            None => {
                if let [first, _, ..] = site.actions() {
                    let actions = site.actions().iter().map(|action| action.name).collect();
                    self.add_operation(Operation { name: first.name, is_named: false, actions });
                }
            }
        }
        self.to_json() != before
    }

    /// Declares the results of an action, or merely that there is such an action.
    pub fn add_results(&mut self, action: &ActionDef, results: Option<Vec<&'static str>>) {
        let declared = Declared { action: *action, results };
        if !self.actions.contains(&declared) {
            self.actions.push(declared);
        }
    }

    /// Joins the operation with one that it surely is the same as: it has the same name by the program's own word, or the outcomes of
    /// one are all outcomes of the other. (`pop` finds an element or none, `pop_until` may run out of time as well.)
    fn add_operation(&mut self, added: Operation) {
        let is_part = |part: &[&str], whole: &[&str]| part.iter().all(|action| whole.contains(action));
        let is_same = |known: &&mut Operation| match known.is_named && added.is_named {
            true => known.name == added.name,
            false => is_part(&known.actions, &added.actions) || is_part(&added.actions, &known.actions),
        };
        match self.operations.iter_mut().find(is_same) {
            Some(known) => {
                let new = added.actions.iter().filter(|action| !known.actions.contains(action));
                known.actions.extend(new.copied().collect::<Vec<_>>());
                if added.is_named {
                    (known.name, known.is_named) = (added.name, true);
                }
            }
            None => self.operations.push(added),
        }
    }

    /// The value of `actions` in `run.json`, if something is declared.
    pub fn to_json(&self) -> Option<String> {
        let mut written: Vec<&ActionDef> = Vec::new();
        let mut entries = Vec::new();
        for Declared { action, .. } in &self.actions {
            if written.contains(&action) {
                continue;
            }
            written.push(action);
            entries.extend(self.entry(action).map(|declared| {
                let (name, params) = (quoted(action.name), list(action.params));
                format!(r#"{{"name": {name}, "params": {params}, {declared}}}"#)
            }));
        }
        (!entries.is_empty()).then(|| format!("[\n    {}\n  ]", entries.join(",\n    ")))
    }

    /// What is declared of exactly this action, if anything is.
    fn entry(&self, action: &ActionDef) -> Option<String> {
        let operations: Vec<_> =
            self.operations.iter().filter(|operation| operation.actions.contains(&action.name)).collect();
        if operations.len() > 1 || self.results_differ(action.name) {
            return Some(r#""contradictory": true"#.to_owned());
        }
        let results = self.actions.iter().filter(|declared| declared.action == *action);
        let results = results.filter_map(|declared| declared.results.as_ref()).next();
        let results = results.map(|results| format!(r#""results": {}"#, list(results)));
        let operation = operations.first().map(|operation| format!(r#""operation": {}"#, quoted(operation.name)));
        let declared: Vec<_> = results.into_iter().chain(operation).collect();
        (!declared.is_empty()).then(|| declared.join(", "))
    }

    /// True if a parameter of the actions with this name is a result by one declaration and none by another.
    fn results_differ(&self, name: &str) -> bool {
        let declared = || self.actions.iter().filter(|declared| declared.action.name == name);
        let is_result = |declared: &Declared, param: &str| {
            let results = declared.results.as_ref().filter(|_| declared.action.params.contains(&param))?;
            Some(results.contains(&param))
        };
        declared().any(|one| {
            one.action.params.iter().any(|param| {
                let first = is_result(one, param);
                first.is_some()
                    && declared().filter_map(|other| is_result(other, param)).any(|other| Some(other) != first)
            })
        })
    }
}

fn list(names: &[&str]) -> String {
    format!("[{}]", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasting::lasting;

    const DEQUEUE: ActionDef = ActionDef { name: "Dequeue", params: &["elem"] };
    const EMPTY: ActionDef = ActionDef { name: "Empty", params: &[] };
    const CLOSED: ActionDef = ActionDef { name: "Closed", params: &[] };
    const PEEK: ActionDef = ActionDef { name: "Peek", params: &["elem"] };

    fn site(actions: &'static [ActionDef]) -> Site {
        Site::new(actions, &["elem"])
    }

    /// What is written of these sites, one action per line.
    fn declared(sites: impl IntoIterator<Item = Site>) -> String {
        let mut declarations = Declarations::default();
        for site in sites {
            declarations.add(lasting(Box::new(site)));
        }
        let text = declarations.to_json().unwrap_or_default();
        text.lines().map(str::trim).filter(|line| line.starts_with('{')).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn outcomes_of_one_call_are_one_operation_named_after_the_first() {
        assert_eq!(
            declared([site(&[DEQUEUE, EMPTY]).results(&[&["elem"], &[]])]),
            r#"{"name": "Dequeue", "params": ["elem"], "results": ["elem"], "operation": "Dequeue"},
{"name": "Empty", "params": [], "results": [], "operation": "Dequeue"}"#
        );
        assert_eq!(
            declared([site(&[DEQUEUE]).results(&[&["elem"]]), site(&[EMPTY])]),
            r#"{"name": "Dequeue", "params": ["elem"], "results": ["elem"]}"#
        );
        assert_eq!(declared([site(&[DEQUEUE, EMPTY]).operations(&[])]), "");
    }

    #[test]
    fn places_with_more_outcomes_join_those_with_fewer() {
        let expected = r#"{"name": "Empty", "params": [], "operation": "Empty"},
{"name": "Dequeue", "params": ["elem"], "operation": "Empty"},
{"name": "Closed", "params": [], "operation": "Empty"}"#;
        assert_eq!(declared([site(&[EMPTY, DEQUEUE]), site(&[DEQUEUE, EMPTY, CLOSED])]), expected);
        assert_eq!(
            declared([site(&[DEQUEUE, EMPTY]), site(&[EMPTY, DEQUEUE]), site(&[EMPTY]).operations(&["Pop"])]),
            r#"{"name": "Dequeue", "params": ["elem"], "operation": "Pop"},
{"name": "Empty", "params": [], "operation": "Pop"}"#
        );
    }

    #[test]
    fn places_that_contradict_each_other_leave_only_that() {
        let shared_outcome = declared([site(&[DEQUEUE, EMPTY]), site(&[PEEK, EMPTY])]);
        assert!(
            shared_outcome.contains(r#"{"name": "Empty", "params": [], "contradictory": true}"#),
            "{shared_outcome}"
        );
        assert!(shared_outcome.contains(r#""operation": "Dequeue"}"#), "{shared_outcome}");
        let two_names = declared([site(&[EMPTY]).operations(&["Pop"]), site(&[EMPTY]).operations(&["Take"])]);
        assert_eq!(two_names, r#"{"name": "Empty", "params": [], "contradictory": true}"#);
        let argument_and_result = declared([site(&[DEQUEUE]).results(&[&["elem"]]), site(&[DEQUEUE]).results(&[&[]])]);
        assert_eq!(argument_and_result, r#"{"name": "Dequeue", "params": ["elem"], "contradictory": true}"#);
    }

    #[test]
    fn a_site_is_news_once() {
        let mut declarations = Declarations::default();
        let twin = || lasting(Box::new(site(&[DEQUEUE, EMPTY])));
        let first = twin();
        assert!(declarations.add(first));
        assert!(!declarations.add(first));
        assert!(!declarations.add(twin()), "another place says the same");
        assert!(!declarations.add(lasting(Box::new(site(&[PEEK])))), "nothing is declared of it");
    }
}
