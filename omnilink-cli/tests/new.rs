//! `omnilink new`: projects that work at once, in both languages.

mod support;

use std::fs;
use std::path::Path;

use support::projects::Project;
use support::{error_of, omnilink};

const TEMPLATES: [&str; 5] = ["queue", "map", "register", "counter", "lock"];
const SPEC: &str = include_str!("data/Bag.tla");

#[test]
fn rust_projects_tell_a_system_from_its_buggy_twin() {
    for template in TEMPLATES {
        Project::new(&format!("rust-{template}"), &["--template", template]).tells_the_systems_apart();
    }
}

#[test]
fn a_cpp_project_tells_a_system_from_its_buggy_twin() {
    Project::new("cpp-queue", &["--lang", "cpp"]).tells_the_systems_apart();
}

#[test]
#[ignore = "takes a minute; scripts/test-all.sh runs it"]
fn all_cpp_projects_tell_a_system_from_its_buggy_twin() {
    for template in TEMPLATES {
        let name = format!("cpp-all-{template}");
        Project::new(&name, &["--lang", "cpp", "--template", template]).tells_the_systems_apart();
    }
}

#[test]
fn a_project_from_a_specification_says_what_is_left_to_do() {
    let place = tempfile::tempdir().unwrap();
    let spec = place.path().join("Bag.tla");
    fs::write(&spec, SPEC).unwrap();
    let args = ["--template", "from", spec.to_str().unwrap(), "--const", "Elems = {1, 2}"];
    for (language, file, call) in [
        ("rust", "src/main.rs", "let elem = cx.random.range(1..=2); cx.call(|_, _| ()); Ok(Add { elem }.into())"),
        ("cpp", "fuzzer.cpp", ""),
    ] {
        let project = Project::new(&format!("{language}-from"), &[&args[..], &["--lang", language]].concat());
        let output = project.run(&["--runs", "2"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{errors}");
        assert!(format!("{}{errors}", String::from_utf8_lossy(&output.stdout)).contains(file), "{errors}");
        if language == "rust" {
            project.edit(file, "Err(Unsupported)", call);
            project.edit(file, "_cx:", "cx:");
            let said = project.said(&["--runs", "3"], 0);
            assert!(said.contains("3 accepted"), "{said}");
        }
    }
}

#[test]
fn what_is_written_is_listed_and_nothing_else_is_there() {
    let place = tempfile::tempdir().unwrap();
    for (language, files) in [
        ("rust", ["Cargo.toml", "README.md", "src/actions.rs", "src/main.rs", "src/lock.rs", "omnilink.project"]),
        ("cpp", ["CMakeLists.txt", "README.md", "actions.hpp", "fuzzer.cpp", "lock.hpp", "omnilink.project"]),
    ] {
        // The name may come after the template, too.
        let args = ["new", "--lang", language, "--template", "lock", language];
        let output = omnilink(args).current_dir(&place).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for file in files.into_iter().chain([".github/workflows/omnilink.yml"]) {
            assert!(said.contains(&format!("  written    {file}\n")), "{file}: {said}");
            assert!(place.path().join(language).join(file).is_file(), "{file}");
        }
        assert!(said.contains(&format!("\n  cd {language}\n")), "{said}");
        assert!(said.contains(" run -- --buggy"), "{said}");
        let check = ["gen-fuzzer", "Lock.tla", "--lang", language, "-o", ".", "--check"];
        let check = omnilink(check).current_dir(place.path().join(language)).output().unwrap();
        assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stdout));
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn no_machine_is_named_in_a_project() {
    let place = tempfile::tempdir().unwrap();
    for language in ["rust", "cpp"] {
        assert!(omnilink(["new", language, "--lang", language]).current_dir(&place).output().unwrap().status.success());
        let project = place.path().join(language);
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for file in walk(&project) {
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains(&format!("\"{}", checkout.display())), "{}: {text}", file.display());
        }
    }
    let manifest = fs::read_to_string(place.path().join("rust/Cargo.toml")).unwrap();
    let path = manifest.split("path = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(place.path().join("rust").join(path).join("Cargo.toml").is_file(), "{manifest}");
}

fn walk(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn the_crate_can_be_taken_from_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    for (number, (given, written)) in [
        ("0.1", "omnilink = \"0.1\"\n"),
        (
            "git+https://example.org/omnilink#v1",
            "omnilink = { git = \"https://example.org/omnilink\", rev = \"v1\" }\n",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("p{number}");
        let output = omnilink(["new", &name, "--omnilink", given]).current_dir(&place).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let manifest = fs::read_to_string(place.path().join(name).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(written), "{manifest}");
    }
}

#[test]
fn refusals_say_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).display().to_string();
    fs::create_dir(at("taken")).unwrap();
    fs::write(at("taken/mine"), "mine").unwrap();
    for (args, expected) in [
        (&["new"][..], "the project has no name"),
        (&["new", &at("taken")], "is there already"),
        (&["new", &at("1st")], "does not begin with a letter"),
        (&["new", &at("my queue")], "has other characters than letters, digits, `-` and `_`"),
        (&["new", &at("omnilink")], "is a name that Cargo does not take"),
        (&["new", "."], "is no name"),
        (&["new", &at("p"), "--template", "stack"], "there is no template `stack`"),
        (&["new", &at("p"), "--template", "from"], "no specification was given"),
        (&["new", &at("p"), "--template", "queue", "extra"], "`extra` is one argument too many"),
        (&["new", &at("p"), "--const", "N = 3"], "--const and --cfg are for `--template from SPEC`"),
        (&["new", &at("p"), "--omnilink", "newest"], "--omnilink: `newest` is no version"),
    ] {
        let error = error_of(args.iter().copied());
        assert!(error.contains(expected), "{args:?}: {error}");
        assert!(args.len() == 1 || error.contains("hint: "), "{args:?}: {error}");
    }
    let missing = omnilink(["new", &at("p"), "--template", "from", &at("No.tla")]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("No.tla"));
    assert!(!Path::new(&at("p")).exists(), "nothing is left behind");
    assert_eq!(fs::read_to_string(at("taken/mine")).unwrap(), "mine");
}
