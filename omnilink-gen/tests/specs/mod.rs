//! The specifications that projects of all languages are generated from in tests, each with its options.

// Each test program uses its part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use omnilink_gen::model::Model;
use omnilink_gen::project::{File, Output};
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Choice, Dependency, Language, Reading, read};
use omnilink_tla::{Options, Spec};

/// A specification and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The module's name.
    pub name: &'static str,
    /// `--next`
    pub next: Option<&'static str>,
    /// `--exclude`
    pub exclude: &'static [&'static str],
}

/// All of them.
pub fn all() -> impl Iterator<Item = Case> {
    const PLAIN: [&str; 12] = [
        "Queue",
        "Quantifiers",
        "Subtrees",
        "Branches",
        "Mutex",
        "Instances",
        "Bulk",
        "Hostile",
        "Plain",
        "Thirty",
        "Twenty",
        "Types",
    ];
    let plain = PLAIN.into_iter().map(|name| Case { name, next: None, exclude: &[] });
    plain.chain([Case { name: "Store", next: Some("World"), exclude: &["Crash"] }])
}

impl Case {
    /// The file.
    pub fn path(&self) -> PathBuf {
        let specs = Path::new(env!("CARGO_MANIFEST_DIR"));
        match self.name {
            "Queue" => specs.join("../examples/queue/Queue.tla"),
            name => specs.join(format!("tests/specs/{name}.tla")),
        }
    }

    /// What it gives.
    pub fn reading(&self) -> Reading {
        let path = self.path();
        let options =
            Options { config: Options::config_beside(&path), next: self.next.map(str::to_owned), ..Options::default() };
        let spec = Spec::load(&path, &options).unwrap_or_else(|error| panic!("{error}"));
        let exclude = self.exclude.iter().map(ToString::to_string).collect();
        read(&spec, &Choice { exclude, ..Choice::default() }).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What projects are made from.
    pub fn model(&self) -> Model {
        self.reading().model
    }

    /// What a project is to be like, with this checkout of OmniLink.
    pub fn output(&self, checkout: Option<PathBuf>) -> Output {
        let recipe = Recipe {
            next: self.next.map(str::to_owned),
            exclude: self.exclude.iter().map(ToString::to_string).collect(),
            ..Recipe::default()
        };
        let dependency = match &checkout {
            Some(checkout) => Dependency::Path(checkout.join("omnilink")),
            None => Dependency::Version("0.1".to_owned()),
        };
        Output { name: format!("{}-fuzzer", self.name.to_lowercase()), dependency, checkout, recipe }
    }

    /// The files of a project.
    pub fn files(&self, language: Language, checkout: Option<PathBuf>) -> Vec<File> {
        language.files(&self.model(), &self.output(checkout))
    }
}
