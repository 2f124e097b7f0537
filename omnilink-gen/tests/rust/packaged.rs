//! A project that depends on a version of the crate, built against what would be published.

use std::fs;
use std::path::Path;
use std::process::Command;

use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Dependency, Language, Request, generate};

use crate::building::{build, checkout, directory};
use crate::specs;

/// What users link, in the order of publication.
const CRATES: [&str; 5] = ["omnilink-budget", "omnilink-trace", "omnilink-runtime", "omnilink-macros", "omnilink"];

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a project of the queue with this dependency.
fn project(place: &Path, omnilink: Option<Dependency>) {
    let request = Request {
        spec: specs::all().next().unwrap().path(),
        language: Language::Rust,
        directory: Some(place.to_owned()),
        options: Recipe::default(),
        forget: false,
        name: None,
        omnilink,
        checkout: Some(checkout()),
    };
    generate(&request).unwrap().write().unwrap();
}

/// Everything comes from one directory that stands for the registry: our crates as they are packaged, the others as Cargo
/// has them.
#[test]
#[ignore = "packages and compiles the crates again; scripts/test-all.sh runs it"]
fn a_project_builds_against_the_packaged_crates() {
    let place = directory("packaged");
    let _ = fs::remove_dir_all(&place);
    let (registry, packages, with_path) = (place.join("registry"), place.join("packages"), place.join("path"));
    let cargo = || Command::new(env!("CARGO"));
    project(&with_path, None);
    fs::copy(checkout().join("Cargo.lock"), with_path.join("Cargo.lock")).unwrap();
    succeed(cargo().args(["vendor", "--offline", "--quiet"]).arg(&registry).current_dir(&with_path));

    let mut package = cargo();
    package.args(["package", "--no-verify", "--allow-dirty", "--offline", "--quiet", "--target-dir"]).arg(&packages);
    package.arg("--exclude-lockfile").args(CRATES.iter().flat_map(|name| ["--package", name]));
    succeed(package.current_dir(checkout()));
    for name in CRATES {
        let name = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let archive = packages.join("package").join(format!("{name}.crate"));
        succeed(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&registry));
        fs::write(registry.join(name).join(".cargo-checksum.json"), r#"{"files":{}}"#).unwrap();
    }

    let with_version = place.join("version");
    project(&with_version, Some(Dependency::Version("0.1".to_owned())));
    fs::create_dir(with_version.join(".cargo")).unwrap();
    let source = format!(
        "[source.crates-io]\nreplace-with = \"packaged\"\n[source.packaged]\ndirectory = {:?}\n",
        registry.display().to_string()
    );
    fs::write(with_version.join(".cargo/config.toml"), source).unwrap();
    let built = build(&with_version);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
