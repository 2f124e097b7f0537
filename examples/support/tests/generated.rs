//! The generated files of the examples are what the generator makes of their specifications.

use std::path::Path;

use omnilink_gen::project::Fate;
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Language, Request, generate};

const FUZZERS: [(&str, &str, Language); 4] = [
    ("bulk-queue", "BulkQueue.tla", Language::Rust),
    ("cpp-stack", "Stack.tla", Language::Cpp),
    ("kv-transactions", "Store.tla", Language::Rust),
    ("queue", "Queue.tla", Language::Rust),
];

#[test]
fn nothing_is_stale() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (example, spec, language) in FUZZERS {
        let directory = examples.join(example);
        let request = Request {
            spec: directory.join(spec),
            language,
            directory: Some(directory),
            options: Recipe::default(),
            forget: false,
            name: None,
            omnilink: None,
            checkout: None,
        };
        let generated = generate(&request).unwrap();
        let stale = generated.compare().unwrap().into_iter().filter(|(_, fate)| *fate == Fate::Changed);
        let stale: Vec<_> = stale.map(|(file, _)| &file.path).collect();
        assert!(stale.is_empty(), "in examples/{example} run `omnilink gen-fuzzer {spec} --lang … -o .`: {stale:?}");
    }
}
