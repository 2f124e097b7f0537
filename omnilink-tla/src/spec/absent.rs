//! Why a name that a trace uses is no action, although the specification has a definition of that name.

use std::collections::HashSet;

use super::Spec;
use super::uses::everywhere;
use crate::ir::{DefinitionId, Level};

impl Spec {
    /// Why the definition of that name is no action; nothing if there is no such definition, or if it is one.
    pub fn why_no_action(&self, name: &str) -> Option<String> {
        if self.action(name).is_some() {
            return None;
        }
        let program = self.program();
        let place = |id: DefinitionId| {
            let (path, place) = self.sources().place(program.definition(id).span);
            format!("{}:{}", path.display(), place.line)
        };
        if let Some((_, by)) = program.replaced.iter().find(|(replaced, _)| replaced.as_str() == name) {
            return Some(format!(
                "the configuration replaces `{name}` by `{by}` ({name} <- {by}), so that events are named `{by}`"
            ));
        }
        let at = program.definitions.iter().position(|definition| definition.name.as_str() == name)?;
        let definition = DefinitionId(at as u32);
        let next = program.next.as_ref().map_or("Next", |(next, _)| next.as_str());
        if program.definition(definition).level != Level::Action {
            let at = place(definition);
            return Some(format!("`{name}` ({at}) says nothing of the next state, so it is a condition and no action"));
        }
        let callers: Vec<String> = self
            .actions()
            .actions
            .iter()
            .filter(|action| self.calls(action.definition, name))
            .map(|action| format!("`{}`", action.name))
            .collect();
        let at = place(definition);
        Some(match callers.as_slice() {
            [] if name == next => {
                format!("`{name}` ({at}) is the whole next-state relation; events are named by its parts")
            }
            [] => format!("`{name}` ({at}) is defined, but {next} does not lead to it"),
            callers => format!(
                "`{name}` ({at}) is only a part of {}: an event is named by the definition that {next} leads to first",
                callers.join(" and of ")
            ),
        })
    }

    /// Whether a definition calls one of that name, itself or by others.
    fn calls(&self, from: DefinitionId, name: &str) -> bool {
        let (mut open, mut seen) = (vec![from], HashSet::new());
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                let definition = self.program().definition(id);
                if id != from && definition.name.as_str() == name {
                    return true;
                }
                everywhere(&definition.body, &mut |_| {}, &mut |called| open.push(called));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Options;

    #[test]
    fn what_is_no_action_is_told_why() {
        let directory = tempfile::tempdir().expect("there is room for two files");
        let path = directory.path().join("S.tla");
        let text = "---- MODULE S ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nSet(n) == x' = n\n\
                    Ready == x < 9\nGive == Ready /\\ Set(1)\nMyGive == Ready /\\ Set(2)\nUnused == x' = 7\n\
                    Take == Set(0)\nNext == Give \\/ Take\n====\n";
        std::fs::write(&path, text).expect("there is room for two files");
        let config = directory.path().join("S.cfg");
        std::fs::write(&config, "INIT Init\nNEXT Next\nCONSTANT Give <- MyGive\n")
            .expect("there is room for two files");
        let options = Options { config: Some(config), ..Options::default() };
        let spec = Spec::load(&path, &options).unwrap_or_else(|error| panic!("{error}"));
        let why =
            |name| spec.why_no_action(name).map(|why| why.replace(&format!("{}/", directory.path().display()), ""));
        let replaced =
            "the configuration replaces `Give` by `MyGive` (Give <- MyGive), so that events are named `MyGive`";
        assert_eq!(why("Give").as_deref(), Some(replaced));
        let part = "`Set` (S.tla:5) is only a part of `MyGive` and of `Take`: an event is named by the definition that Next \
                    leads to first";
        assert_eq!(why("Set").as_deref(), Some(part));
        let condition = "`Ready` (S.tla:6) says nothing of the next state, so it is a condition and no action";
        assert_eq!(why("Ready").as_deref(), Some(condition));
        assert_eq!(why("Unused").as_deref(), Some("`Unused` (S.tla:9) is defined, but Next does not lead to it"));
        let whole = "`Next` (S.tla:11) is the whole next-state relation; events are named by its parts";
        assert_eq!(why("Next").as_deref(), Some(whole));
        assert_eq!(why("Take"), None);
        assert_eq!(why("Nothing"), None);
    }
}
