//! What holds of every text that is read as a configuration.

use omnilink_tla::config::{Assignment, ConfigFile, Given, Named, read_config};
use omnilink_tla::source::Sources;

/// Reads it, or says why not, and all places lie in the text.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("Model.cfg", text);
    match read_config(&sources, file) {
        Ok(config) => {
            for Named { name, span } in names(&config) {
                let written = sources.text(span);
                assert!(!written.is_empty() && !name.as_str().is_empty(), "{name} is written as {written:?}");
            }
        }
        Err(error) => {
            let span = error.span.unwrap_or_else(|| panic!("an error without a place: {error:?}"));
            sources.text(span);
            error.render(&sources);
        }
    }
}

fn names(config: &ConfigFile) -> Vec<Named> {
    let single = [
        config.init,
        config.next,
        config.specification,
        config.view,
        config.alias,
        config.postcondition,
        config.symmetry,
    ];
    let several = [&config.invariants, &config.constraints, &config.action_constraints, &config.properties];
    let assigned = config.constants.iter().flat_map(|Assignment { name, to }| {
        let (module, by) = match to {
            Given::Replacement { module, by } => (*module, Some(*by)),
            Given::OfModule { module, .. } => (Some(*module), None),
            Given::Value(_) | Given::Model | Given::Entry { .. } => (None, None),
        };
        [Some(*name), module, by]
    });
    let several = several.into_iter().flatten().copied();
    single.into_iter().chain(assigned).flatten().chain(several).collect()
}
