//! The same race is found about as often in whatever form its code comes: in the program's file, in an archive, in a
//! library of the program's own, without unwind tables, without symbols.

use std::path::{Path, PathBuf};

use crate::points::{SEEDS, UNDESCRIBED, tool, with_arguments};
use crate::subjects::{source, subject};

/// Increments per thread: as many as let most seeds find the race in code that is described.
const ROUNDS: &str = "100";
/// How many seeds must find it in the program's own file.
const MOST: usize = 15;

/// Builds the racy library and its user in several ways, in one directory.
struct Builder<'a> {
    directory: &'a Path,
    flags: Vec<&'a str>,
}

impl Builder<'_> {
    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_str().unwrap().to_owned()
    }

    fn compile(&self, output: &str, sources: &[&str], flags: &[&str]) -> String {
        let output = self.path(output);
        let sources: Vec<String> = sources.iter().map(|name| source(name).to_str().unwrap().to_owned()).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        // Libraries come last: the linker looks for what is missing so far.
        tool("g++", &[&["-O2", "-pthread", "-o", &output][..], &self.flags, &sources, flags].concat());
        output
    }

    fn one_file(&self, flags: &[&str]) -> PathBuf {
        self.compile("one-file", &["library_user.cpp", "racy_library.cpp"], flags).into()
    }

    fn archive(&self, flags: &[&str]) -> PathBuf {
        let object = self.compile("racy.o", &["racy_library.cpp"], &["-c"]);
        let archive = self.path("libarchived.a");
        tool("ar", &["rcs", &archive, &object]);
        self.compile("archived", &["library_user.cpp"], &[&[&*archive], flags].concat()).into()
    }

    fn library(&self) -> String {
        self.compile("libracy.so", &["racy_library.cpp"], &["-shared", "-fPIC"])
    }

    fn linked(&self, flags: &[&str]) -> PathBuf {
        self.library();
        let place = format!("-L{}", self.directory.display());
        let always = ["-Wl,-rpath,$ORIGIN", &*place, "-lracy"];
        self.compile("linked", &["library_user.cpp"], &[&always[..], flags].concat()).into()
    }
}

#[test]
fn a_race_is_found_as_often_in_every_form() {
    let scratch = tempfile::tempdir().unwrap();
    let count = |program: &Path, arguments: &[&str]| with_arguments(program, arguments).0;
    let mut table: Vec<(String, usize)> = Vec::new();
    let undescribed_and_stripped = [&UNDESCRIBED[..], &["-s"]].concat();
    let ways = [("described", &[][..]), ("no unwind tables", &UNDESCRIBED), ("stripped", &["-s"])];
    for (name, flags) in ways.into_iter().chain([("no unwind tables, stripped", &undescribed_and_stripped[..])]) {
        let builder = Builder { directory: scratch.path(), flags: flags.to_vec() };
        let mut tell = |form: &str, found: usize| table.push((format!("{form}, {name}"), found));
        tell("the program's file", count(&builder.one_file(&[]), &[ROUNDS]));
        tell("a static program", count(&builder.one_file(&["-static"]), &[ROUNDS]));
        tell("an archive", count(&builder.archive(&[]), &[ROUNDS]));
        tell("a library", count(&builder.linked(&[]), &[ROUNDS]));
        tell("a library, bound lazily", count(&builder.linked(&["-Wl,-z,lazy"]), &[ROUNDS]));
        tell("a library, without PLT", count(&builder.linked(&["-fno-plt"]), &[ROUNDS]));
        tell("an opened library", count(&subject("library_opener"), &[&builder.library(), ROUNDS]));
    }
    for (form, found) in &table {
        println!("{found:2} of {SEEDS}: {form}");
    }
    let described = table[0].1;
    assert!(described >= MOST, "{table:#?}");
    let lagging: Vec<_> = table.iter().filter(|(_, found)| found * 4 < described * 3).collect();
    assert!(lagging.is_empty(), "{described} in the program's file, but {lagging:#?}");
}
