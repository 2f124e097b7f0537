//! Projects on disk: what is written, what is kept, and what is remembered.

use std::fs;
use std::path::{Path, PathBuf};

use omnilink_gen::project::{Fate, Owner};
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Dependency, Error, Generated, Language, Request, generate};

use crate::specs;

const LANGUAGES: [Language; 2] = [Language::Rust, Language::Cpp];

/// A place with a specification and its configuration, and what is generated from it.
struct Place {
    root: tempfile::TempDir,
    language: Language,
}

impl Place {
    fn new(language: Language) -> Self {
        let place = Self { root: tempfile::tempdir().unwrap(), language };
        for file in ["Subtrees.tla", "Subtrees.cfg"] {
            fs::copy(Path::new("tests/specs").join(file), place.path(file)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn request(&self, options: Recipe) -> Request {
        Request {
            spec: self.path("Subtrees.tla"),
            language: self.language,
            directory: Some(self.path("fuzzer")),
            options,
            forget: false,
            name: None,
            omnilink: Some(Dependency::Version("0.1".into())),
            checkout: None,
        }
    }

    fn generate(&self, options: Recipe) -> Generated {
        generate(&self.request(options)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn names(&self, options: Recipe) -> Vec<String> {
        self.generate(options).model.actions.into_iter().map(|action| action.name).collect()
    }
}

fn only(names: &[&str]) -> Recipe {
    Recipe { only: names.iter().map(ToString::to_string).collect(), ..Recipe::default() }
}

#[test]
fn files_of_users_are_written_once() {
    for language in LANGUAGES {
        let place = Place::new(language);
        let first = place.generate(Recipe::default());
        assert!(first.is_new);
        assert!(first.write().unwrap().iter().all(|(_, fate)| *fate == Fate::New));
        let users = place.path("fuzzer").join(language.to_fill_in());
        fs::write(&users, "mine").unwrap();
        let spec = fs::read_to_string(place.path("Subtrees.tla")).unwrap();
        fs::write(place.path("Subtrees.tla"), spec.replace("Reset(7)", "Reset(8)")).unwrap();

        let second = place.generate(Recipe::default());
        assert!(!second.is_new);
        for (file, fate) in second.write().unwrap() {
            let expected = match file.owner {
                Owner::User => Fate::Kept,
                Owner::Generator if file.path == Path::new("Subtrees.cfg") => Fate::Same,
                Owner::Shared => Fate::Same,
                Owner::Generator => Fate::Changed,
            };
            assert_eq!(fate, expected, "{:?}", file.path);
        }
        assert_eq!(fs::read_to_string(users).unwrap(), "mine");
        let third = place.generate(Recipe::default());
        assert!(third.write().unwrap().iter().all(|(_, fate)| matches!(fate, Fate::Same | Fate::Kept)));
    }
}

#[test]
fn comparing_writes_nothing() {
    let place = Place::new(Language::Rust);
    let generated = place.generate(Recipe::default());
    assert!(generated.compare().unwrap().iter().all(|(_, fate)| *fate == Fate::New));
    assert!(!place.path("fuzzer").exists());
    generated.write().unwrap();
    let actions = place.path("fuzzer/src/actions.rs");
    fs::write(&actions, fs::read_to_string(&actions).unwrap() + "// edited\n").unwrap();
    let stale: Vec<_> = generated.compare().unwrap().into_iter().filter(|(_, fate)| *fate == Fate::Changed).collect();
    assert_eq!(stale.len(), 1);
    assert_eq!(stale[0].0.path, Path::new("src/actions.rs"));
    assert!(fs::read_to_string(&actions).unwrap().ends_with("// edited\n"));
}

#[test]
fn options_are_remembered_until_they_are_given_again() {
    for language in LANGUAGES {
        let place = Place::new(language);
        place.generate(only(&["Put", "Get"])).write().unwrap();
        let again = place.generate(Recipe::default());
        assert_eq!(again.remembered, only(&["Put", "Get"]));
        assert_eq!(place.names(Recipe::default()), ["Get", "Put"]);
        assert_eq!(place.names(only(&["Reset"])), ["Reset"]);
        let forgetful = Request { forget: true, ..place.request(Recipe::default()) };
        assert_eq!(generate(&forgetful).unwrap().model.actions.len(), 3);
    }
}

#[test]
fn a_project_can_be_moved_with_its_specification() {
    let place = Place::new(Language::Rust);
    fs::create_dir(place.path("models")).unwrap();
    fs::write(place.path("models/Small \u{202e}é.cfg"), "CONSTANT Keys = {\"a\"}\nINIT Init\nNEXT Next\n").unwrap();
    let options = Recipe { cfg: Some(place.path("models/Small \u{202e}é.cfg")), ..Recipe::default() };
    let first = place.generate(options);
    first.write().unwrap();
    assert_eq!(first.model.enums[0].strings, ["a"]);
    let moved = tempfile::tempdir().unwrap();
    let target = moved.path().join("elsewhere");
    fs::rename(place.root.path(), &target).unwrap();
    fs::create_dir(place.root.path()).unwrap();
    let request = Request {
        spec: target.join("Subtrees.tla"),
        directory: Some(target.join("fuzzer")),
        ..place.request(Recipe::default())
    };
    let again = generate(&request).unwrap();
    assert_eq!(again.model.enums[0].strings, ["a"]);
    assert!(again.compare().unwrap().iter().all(|(_, fate)| matches!(fate, Fate::Same | Fate::Kept)));
}

#[test]
fn what_is_no_project_is_not_touched() {
    let place = Place::new(Language::Rust);
    let directory = place.path("fuzzer");
    fs::create_dir_all(&directory).unwrap();
    assert!(place.generate(Recipe::default()).is_new, "an empty directory is fine");
    fs::create_dir(directory.join("src")).unwrap();
    for (file, is_refused) in [
        ("thesis.txt", false),
        ("README.md", false),
        ("Cargo.toml", true),
        ("src/main.rs", true),
        ("Subtrees.cfg", true),
    ] {
        let file = directory.join(file);
        fs::write(&file, "mine").unwrap();
        match place.generate(Recipe::default()).write() {
            Err(Error::InTheWay { path }) => assert!(is_refused && path == file, "{path:?}"),
            other => assert!(!is_refused, "{file:?}: {other:?}"),
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        fs::remove_dir_all(&directory).unwrap();
        fs::create_dir_all(directory.join("src")).unwrap();
    }
    fs::write(directory.join("src/actions.rs"), "fn mine() {}").unwrap();
    let error = generate(&place.request(Recipe::default())).unwrap_err();
    assert!(matches!(error, Error::UnreadableHeader { .. }), "{error}");
    assert_eq!(fs::read_to_string(directory.join("src/actions.rs")).unwrap(), "fn mine() {}");
    fs::write(directory.join("src/actions.rs"), "").unwrap();
    place.generate(Recipe::default()).write().unwrap();
    assert!(directory.join("src/main.rs").exists());
}

#[test]
fn a_project_may_be_where_its_specification_is() {
    for language in LANGUAGES {
        let place = Place::new(language);
        let there = || Request { directory: Some(place.path(".")), ..place.request(Recipe::default()) };
        let new = generate(&there()).unwrap();
        assert!(new.is_new);
        assert!(new.write().unwrap().iter().all(|(_, fate)| *fate == Fate::New), "the specification is not copied");
        let again = generate(&there()).unwrap();
        assert!(!again.is_new);
        assert!(again.compare().unwrap().iter().all(|(_, fate)| matches!(fate, Fate::Same | Fate::Kept)));
    }
}

#[test]
fn a_project_alone_has_all_that_its_specification_needs() {
    let place = Place::new(Language::Rust);
    let first = place.generate(Recipe::default());
    first.write().unwrap();
    let moved = tempfile::tempdir().unwrap();
    let alone = moved.path().join("alone");
    fs::rename(place.path("fuzzer"), &alone).unwrap();
    let request =
        Request { spec: alone.join("Subtrees.tla"), directory: Some(alone), ..place.request(Recipe::default()) };
    let again = generate(&request).unwrap();
    assert_eq!(again.model.enums, first.model.enums);
    assert!(again.compare().unwrap().iter().all(|(_, fate)| matches!(fate, Fate::Same | Fate::Kept)));
}

#[test]
fn what_cannot_be_written_is_named() {
    let place = Place::new(Language::Rust);
    fs::write(place.path("fuzzer"), "a file").unwrap();
    let error = generate(&place.request(Recipe::default())).unwrap_err();
    assert!(error.to_string().contains("fuzzer"), "{error}");
    let inside = Request { directory: Some(place.path("fuzzer/inside")), ..place.request(Recipe::default()) };
    let failed = generate(&inside).map(|generated| generated.write().map(|_| ()));
    assert!(!matches!(failed, Ok(Ok(()))));
}

#[test]
fn the_directory_is_named_after_the_specification() {
    let case = specs::all().find(|case| case.name == "Instances").unwrap();
    let request = Request {
        spec: case.path(),
        language: Language::Rust,
        directory: None,
        options: Recipe::default(),
        forget: false,
        name: None,
        omnilink: Some(Dependency::Version("0.1".into())),
        checkout: None,
    };
    assert_eq!(generate(&request).unwrap().directory, Path::new("instances-fuzzer"));
}
