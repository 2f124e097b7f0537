//! Projects to begin with: a specification, a small system that does what it says, a twin of it with a bug, and the fuzzer
//! that is bound to both.

use crate::dependency::Dependency;
use crate::language::Language;
use crate::project::File;

/// A project to begin with.
#[derive(Debug)]
pub struct Template {
    /// What users call it.
    pub name: &'static str,
    /// What it is, as the beginning of a sentence.
    pub about: &'static str,
    /// The specification's file.
    pub spec: &'static str,
    spec_text: &'static str,
    cfg: &'static str,
    cfg_text: &'static str,
    rust: [&'static str; 2],
    cpp: [&'static str; 2],
}

/// One template: its directory, its module, and what it is.
macro_rules! template {
    ($name:literal, $module:literal, $about:literal) => {
        Template {
            name: $name,
            about: $about,
            spec: concat!($module, ".tla"),
            spec_text: include_str!(concat!("../templates/", $name, "/", $module, ".tla")),
            cfg: concat!($module, ".cfg"),
            cfg_text: include_str!(concat!("../templates/", $name, "/", $module, ".cfg")),
            rust: [
                include_str!(concat!("../templates/", $name, "/main.rs")),
                include_str!(concat!("../templates/", $name, "/", $name, ".rs")),
            ],
            cpp: [
                include_str!(concat!("../templates/", $name, "/fuzzer.cpp")),
                include_str!(concat!("../templates/", $name, "/", $name, ".hpp")),
            ],
        }
    };
}

/// All of them.
pub const ALL: [Template; 5] = [
    template!("queue", "Queue", "A first-in, first-out queue behind a lock"),
    template!("map", "Map", "A map from keys to values in shards, each behind a lock"),
    template!("register", "Register", "A register of two words that is read without a lock"),
    template!("counter", "Counter", "An atomic counter"),
    template!("lock", "Lock", "A lock made of an atomic flag"),
];

impl Template {
    /// The template of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|template| template.name == name)
    }

    /// The specification and its configuration.
    pub fn specification(&self) -> [File; 2] {
        [File::for_user(self.spec, self.spec_text), File::for_user(self.cfg, self.cfg_text)]
    }

    /// The user's files that take the place of generated ones, or come in addition.
    pub fn files(&self, language: Language, project: &str, dependency: &Dependency) -> Vec<File> {
        let (system, [fuzzer_text, system_text]) = match language {
            Language::Rust => (format!("src/{}.rs", self.name), self.rust),
            Language::Cpp => (format!("{}.hpp", self.name), self.cpp),
        };
        let words =
            [("NAME", project), ("ABOUT", self.about), ("NOUN", self.name), ("SYSTEM", &system), ("CFG", self.cfg)];
        let readme = filled(include_str!("../templates/README.md"), self.spec, language, &words);
        vec![
            File::for_user(language.to_fill_in(), fuzzer_text),
            File::for_user(system, system_text),
            File::for_user("README.md", readme),
            workflow(self.spec, language, dependency),
        ]
    }
}

/// What a project from somebody's own specification has besides what is generated.
pub fn files_from(spec: &str, language: Language, project: &str, dependency: &Dependency) -> Vec<File> {
    let readme = filled(include_str!("../templates/README-from.md"), spec, language, &[("NAME", project)]);
    vec![File::for_user("README.md", readme), workflow(spec, language, dependency)]
}

/// The jobs for GitHub.
fn workflow(spec: &str, language: Language, dependency: &Dependency) -> File {
    let get = how_to_install(language, dependency);
    let text = filled(include_str!("../templates/omnilink.yml"), spec, language, &[("GET", &get)]);
    File::for_user(".github/workflows/omnilink.yml", text)
}

/// The step that installs what the project needs.
fn how_to_install(language: Language, dependency: &Dependency) -> String {
    let version = crate::dependency::VERSION;
    match (language, dependency) {
        (Language::Rust, Dependency::Version(version)) => {
            step(&[format!("cargo install omnilink-cli --version {} --locked", quoted(version))])
        }
        (Language::Rust, Dependency::Git { url, rev }) => {
            let rev = rev.as_ref().map_or_else(String::new, |rev| format!(" --rev {}", quoted(rev)));
            step(&[format!("cargo install --git {}{rev} --locked omnilink-cli", quoted(url))])
        }
        // The library for C++ is made from a checkout, and so is the program where the project names one.
        (_, dependency) => {
            let (note, checkout) = match dependency {
                Dependency::Path(path) if path.is_relative() => {
                    let checkout = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                    let checkout =
                        checkout.map_or_else(|| "..".to_owned(), |parent| parent.to_string_lossy().into_owned());
                    ("it is put where this project looks for it", checkout)
                }
                Dependency::Path(_) => {
                    ("change Cargo.toml or CMakeLists.txt to look for it there", "../omnilink".to_owned())
                }
                _ => ("the library for C++ is built from it", "../omnilink".to_owned()),
            };
            let (comment, clone) = match dependency {
                Dependency::Git { url, rev } => {
                    let branch = rev.as_ref().map_or_else(String::new, |rev| format!(" --branch {}", quoted(rev)));
                    (String::new(), format!("git clone{branch} {} {}", quoted(url), quoted(&checkout)))
                }
                _ => (
                    format!(
                        "      # Set the variable OMNILINK_GIT of this repository to the address of OmniLink {version};\n      # {note}.\n"
                    ),
                    format!("git clone \"${{{{ vars.OMNILINK_GIT }}}}\" {}", quoted(&checkout)),
                ),
            };
            let at = |below: &str| quoted(&format!("{checkout}/{below}"));
            let mut commands = vec![clone, format!("cargo install --locked --path {}", at("omnilink-cli"))];
            if language == Language::Cpp {
                let (shim, build) = (at("cpp-shim"), at("target/cpp-shim"));
                commands.push(format!("cmake -S {shim} -B {build}"));
                commands.push(format!("cmake --build {build}"));
                commands.push(format!("cmake --install {build} --prefix \"$HOME/omnilink\""));
            }
            comment + &step(&commands)
        }
    }
}

fn step(commands: &[String]) -> String {
    let commands: String = commands.iter().map(|command| format!("          {command}\n")).collect();
    format!("      - name: Install OmniLink\n        run: |\n{commands}")
}

/// A word that the shell takes as it is.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A text with the words between `@` replaced.
fn filled(text: &str, spec: &str, language: Language, words: &[(&str, &str)]) -> String {
    let fuzzer = language.to_fill_in().to_string_lossy();
    let actions = language.actions().to_string_lossy();
    let always = [("SPEC", spec), ("FUZZER", &*fuzzer), ("ACTIONS", &*actions), ("LANG", language.option())];
    let replace = |text: String, (name, word): &(&str, &str)| text.replace(&format!("@{name}@"), word);
    always.iter().chain(words).fold(text.to_owned(), replace)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn nothing_is_left_to_fill_in() {
        let dependencies = [
            Dependency::Path("../checkout/omnilink".into()),
            Dependency::Path("/a b/omnilink".into()),
            Dependency::Version("0.1".into()),
            Dependency::Git { url: "https://example.org/o".into(), rev: Some("v1".into()) },
            Dependency::Unknown,
        ];
        for dependency in &dependencies {
            for language in [Language::Rust, Language::Cpp] {
                let files = ALL.iter().flat_map(|template| template.files(language, "mine", dependency));
                for file in files.chain(files_from("Mine.tla", language, "mine", dependency)) {
                    let left = file
                        .text
                        .split('@')
                        .skip(1)
                        .step_by(2)
                        .find(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase()));
                    assert_eq!(left, None, "{:?}", file.path);
                }
            }
        }
    }

    #[test]
    fn templates_are_found_by_name() {
        assert!(
            ALL.iter().all(|template| Template::named(template.name).is_some_and(|found| found.spec == template.spec))
        );
        assert!(Template::named("stack").is_none());
    }

    #[test]
    fn a_project_that_names_a_checkout_gets_it_where_it_looks() {
        let path = Dependency::Path(PathBuf::from("../../src/omnilink/omnilink"));
        let text = how_to_install(Language::Rust, &path);
        assert!(text.contains("git clone \"${{ vars.OMNILINK_GIT }}\" ../../src/omnilink\n"), "{text}");
        assert!(text.contains("cargo install --locked --path ../../src/omnilink/omnilink-cli\n"), "{text}");
    }
}
