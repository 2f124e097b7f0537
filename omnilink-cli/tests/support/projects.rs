//! Projects that `omnilink new` made, built and run as their users would. All of them share one target directory.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use super::omnilink;

/// Cargo lets one build at a time into a directory; waiting for it here keeps tests from waiting within `run`.
static BUILDING: Mutex<()> = Mutex::new(());

/// A project.
pub struct Project {
    pub directory: PathBuf,
}

impl Project {
    /// `omnilink new NAME ARGS…`, in a directory that is kept so that its build is, too.
    pub fn new(name: &str, args: &[&str]) -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new");
        let directory = place.join(name);
        fs::create_dir_all(place.join("target")).expect("it can be made");
        let _ = fs::remove_dir_all(&directory);
        let made = omnilink([&["new", name], args].concat()).current_dir(&place).output().expect("omnilink starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let project = Self { directory };
        if project.directory.join("Cargo.toml").exists() {
            symlink(place.join("target"), project.directory.join("target")).expect("it can be linked");
            // No network: the versions that the checkout has.
            let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
            fs::copy(lock, project.directory.join("Cargo.lock")).expect("it can be copied");
        } else {
            project.use_built_library();
        }
        project
    }

    /// Lets CMake take the library that was built with the tests. The line is the user's.
    fn use_built_library(&self) {
        let built = super::built();
        let (target, profile) = (built.parent().expect("it is in Cargo's directory"), built.file_name());
        let profile = if profile.is_some_and(|name| name == "debug") { "dev" } else { "release" };
        let options = format!("-DOMNILINK_CARGO_PROFILE={profile} -DOMNILINK_CARGO_TARGET_DIR='{}'", target.display());
        let without = "-DCMAKE_DISABLE_FIND_PACKAGE_OmniLink=ON";
        self.edit("omnilink.project", "cmake -B build", &format!("cmake -B build {without} {options}"));
    }

    /// Replaces a text in a file of the project.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.directory.join(file);
        let text = fs::read_to_string(&path).expect("it can be read");
        assert!(text.contains(from), "{file}: {text}");
        fs::write(path, text.replace(from, to)).expect("it can be written");
    }

    /// `omnilink run ARGS…` there.
    pub fn run(&self, args: &[&str]) -> Output {
        let _turn = BUILDING.lock();
        // However slow this machine is.
        let mut command = omnilink([&["run", "--check-timeout", "10m"], args].concat());
        command.current_dir(&self.directory).env("CARGO_NET_OFFLINE", "true").env("RUSTFLAGS", "-Dwarnings");
        command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_TARGET_DIR").env("CARGO_TERM_COLOR", "never");
        command.env("CXXFLAGS", "-Wall -Wextra -Werror -Wpedantic -Wshadow -Wconversion");
        command.output().expect("omnilink starts")
    }

    /// The same; standard output, if it ends with this exit code.
    #[track_caller]
    pub fn said(&self, args: &[&str], code: i32) -> String {
        let output = self.run(args);
        let [said, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(output.status.code(), Some(code), "{}\n{said}\n{errors}", self.directory.display());
        said
    }

    /// Accepts the system, rejects its twin, and makes the run of the twin again.
    pub fn tells_the_systems_apart(&self) {
        let accepted = self.said(&["--runs", "15", "--seed", "1", "--", "--ops", "40"], 0);
        assert!(accepted.contains(": 15 accepted\n"), "{accepted}");
        let rejected = self.said(&["--runs", "300", "--seed", "1", "--chaos", "--", "--buggy"], 1);
        assert!(rejected.contains(": rejected: no order of its "), "{rejected}");
        let again = rejected.lines().find_map(|line| line.trim().strip_prefix("replay: ")).expect("it can be replayed");
        let again = Command::new("sh").arg("-c").arg(again).current_dir(&self.directory).output().expect("sh starts");
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(
            again.status.success() && said.contains("the same"),
            "{said}{}",
            String::from_utf8_lossy(&again.stderr)
        );
    }
}
