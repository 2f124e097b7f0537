//! What the compiler accepts, and what it says about what it does not accept.

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use omnilink_tla::config::{ConfigFile, read_config};
use omnilink_tla::diagnostic::{Diagnostic, TlaError};
use omnilink_tla::explore;
use omnilink_tla::internal::builtin;
use omnilink_tla::internal::compile::{Options, compile};
use omnilink_tla::internal::ir::Program;
use omnilink_tla::internal::modules::load;
use omnilink_tla::source::Sources;
use omnilink_tla::spec::{self, Spec};

/// Loads and compiles a module; what is wrong comes back as the text a person reads.
fn compiled(root: &Path, config: Option<&Path>) -> Result<Program, String> {
    let rendered = |diagnostics: Vec<Diagnostic>, sources: Sources| TlaError { diagnostics, sources }.to_string();
    let mut sources = Sources::default();
    let config = match config {
        Some(path) => {
            let file = sources.add(path, fs::read_to_string(path).expect("the configuration is there"));
            read_config(&sources, file).map_err(|error| rendered(vec![error], sources.clone()))?
        }
        None => ConfigFile::default(),
    };
    let modules = load(sources, root, &[]).map_err(|error| error.to_string())?;
    compile(&modules, &config, &Options::default()).map_err(|diagnostics| rendered(diagnostics, modules.sources))
}

fn under_tests(directory: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory)
}

fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let paths = entries.map(|entry| entry.expect("the directory can be read").path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == ending)).collect();
    found.sort();
    found
}

#[test]
fn every_specification_of_the_corpus_compiles_with_every_configuration() {
    let directory = under_tests("specs");
    let configs = files(&directory, "cfg");
    assert!(configs.len() > 30, "the corpus is there");
    // TLC refuses these, too.
    let refused = ["ConfigUnknown.invariant.cfg", "ConfigUnknown.spec.cfg", "Replacements.mixed.cfg"];
    let mut wrong = Vec::new();
    for config in &configs {
        let name = config.file_name().and_then(|name| name.to_str()).expect("names are text");
        let module = name.split('.').next().unwrap_or_default();
        match compiled(&directory.join(format!("{module}.tla")), Some(config)) {
            Ok(_) if refused.contains(&name) => wrong.push(format!("{name}: accepted")),
            Err(error) if !refused.contains(&name) => wrong.push(format!("{name}:\n{error}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Compiles a case: the body of a module `Case`, then other files, each after a line `%% NAME`; `cfg` is the
/// configuration.
fn outcome(case: &str) -> String {
    let directory = tempfile::tempdir().expect("there is room for a few files");
    let mut config = None;
    for (at, part) in case.split("%% ").enumerate() {
        let (name, text) = match at {
            0 => ("Case.tla", format!("---- MODULE Case ----\n{part}====\n")),
            _ => part.split_once('\n').map(|(name, text)| (name, text.to_owned())).expect("a file has a name"),
        };
        let path = directory.path().join(name);
        fs::write(&path, text).expect("there is room for a few files");
        config = config.or((name == "cfg").then_some(path));
    }
    match compiled(&directory.path().join("Case.tla"), config.as_deref()) {
        Ok(program) => {
            let warnings = program.warnings.iter().map(|warning| warning.render(&program.sources));
            let warnings = warnings.collect::<Vec<_>>().join("\n\n");
            format!("accepted\n{warnings}")
        }
        Err(text) => text,
    }
    .replace(&format!("{}/", directory.path().display()), "")
    .replace(&directory.path().display().to_string(), "(here)")
}

#[test]
fn mistakes_are_explained() {
    for table in files(&under_tests("cases/compile"), "txt") {
        let name = table.file_stem().and_then(|name| name.to_str()).expect("names are text").to_owned();
        let text = fs::read_to_string(&table).expect("the table can be read");
        let mut report = String::new();
        for case in text.split("\n####\n").filter(|case| !case.trim().is_empty()) {
            let case = case.trim_end();
            let outcome = outcome(&format!("{case}\n"));
            write!(report, "{case}\n{}\n{outcome}\n\n\n", "-".repeat(60)).expect("writing to a string does not fail");
        }
        insta::assert_snapshot!(name, report);
    }
}

/// TLC finds all of them true, too.
#[test]
fn assumptions_about_the_language_are_true() {
    for module in files(&under_tests("cases/compile/semantics"), "tla") {
        let spec = Spec::load(&module, &spec::Options::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(spec.program().assumptions.len() > 10, "{} has assumptions", module.display());
        let wrong = spec.false_assumption().unwrap_or_else(|error| panic!("{error}"));
        let shown = wrong.map(|wrong| Diagnostic::error("this is FALSE").at(wrong.expr.span).render(spec.sources()));
        assert_eq!(shown, None, "{}", module.display());
    }
}

/// A specification may extend or instantiate every module that is built in, all of its definitions are right, and it may have
/// definitions with names of a module's own.
#[test]
fn every_built_in_module_can_be_extended_and_instantiated() {
    let names: Vec<_> = builtin::module_names().collect();
    assert!(names.len() > 50, "{} modules", names.len());
    let proofs = names.iter().map(|name| format!("{name}_proofs")).filter(|name| name.contains("Theorem"));
    for name in names.iter().map(|name| (*name).to_owned()).chain(proofs) {
        let extending = outcome(&format!("EXTENDS {name}\nSomething == 1\n"));
        assert_eq!(extending, "accepted\n", "{name}");
        if name != "RealTime" {
            let instantiating = outcome(&format!("I == INSTANCE {name}\nLOCAL INSTANCE {name}\nSomething == 1\n"));
            assert_eq!(instantiating, "accepted\n", "{name}");
        }
    }
    // The native that belongs to Toolbox is not in its text.
    for module in builtin::written_modules().filter(|module| module.name != "Toolbox") {
        let directory = tempfile::tempdir().expect("there is room for a file");
        let path = directory.path().join(module.name).with_extension("tla");
        fs::write(&path, module.text()).expect("there is room for a file");
        compiled(&path, None).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A module may stand in the file of another one, behind it.
#[test]
fn a_file_may_hold_several_modules() {
    let others = "====\n---- MODULE Other ----\nEXTENDS Third\nTwo == One + 1\n====\n\
                  ---- MODULE Third ----\nEXTENDS Integers\nOne == 1\n";
    assert_eq!(outcome(&format!("EXTENDS Other\nThree == Two + One\n{others}")), "accepted\n");
    let wrong = outcome(&format!("EXTENDS Other\nThree == Tow\n{others}"));
    assert!(wrong.contains("unknown name `Tow`"), "{wrong}");
    let wrong = outcome(&format!("EXTENDS Othe\nThree == Two\n{others}"));
    assert!(wrong.contains("module `Othe` is not found"), "{wrong}");
    let circle = outcome("EXTENDS Other\n====\n---- MODULE Other ----\nEXTENDS Other\n");
    assert!(circle.contains("modules need each other"), "{circle}");
}

/// What TLC counts: generated states, distinct states, depth.
#[test]
fn actions_find_the_states_that_tlc_finds() {
    for (module, expected) in [
        ("ActionArguments", (217, 30, 5)),
        ("Enabledness", (39, 7, 4)),
        ("InstancedActions", (130, 26, 7)),
        ("LateArguments", (3, 3, 2)),
    ] {
        let path = under_tests("cases/compile/actions").join(module).with_extension("tla");
        let spec = Spec::load(&path, &spec::Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let options = explore::Options { check_deadlock: false, max_states: None, workers: 1 };
        let report = explore::explore(&spec, &options, &mut |_| ());
        let counts = report.unwrap_or_else(|error| panic!("{error}")).counts;
        assert_eq!((counts.generated, counts.distinct, counts.depth), expected, "{module}");
    }
}

/// Compiles the body of a module and shows what its definition `A` became.
fn definition_a(body: &str) -> String {
    let directory = tempfile::tempdir().expect("there is room for a file");
    let path = directory.path().join("Case.tla");
    fs::write(&path, format!("---- MODULE Case ----\n{body}\n====\n")).expect("there is room for a file");
    let program = compiled(&path, None).unwrap_or_else(|error| panic!("{error}"));
    let definition = program.definitions.iter().find(|definition| definition.name.as_str() == "A");
    format!("{:?}", definition.expect("A is defined").body.kind)
}

#[test]
fn point_updates_are_recognised_by_their_shape_alone() {
    for (formula, expected) in [
        (r"[k \in DOMAIN f \cup {x} |-> IF k = x THEN 1 ELSE f[k]]", "PointUpdate(Insert "),
        (r"[k \in {x} \cup (DOMAIN f) |-> (IF x = k THEN 1 ELSE f[k])]", "PointUpdate(Insert "),
        (r"[k \in DOMAIN f' \cup {x} |-> IF k # x THEN f'[k] ELSE 1]", "PointUpdate(Insert "),
        (r"[k \in DOMAIN f[x].a \cup {<<x, 1>>} |-> IF k = <<x, 1>> THEN 1 ELSE f[x].a[k]]", "PointUpdate(Insert "),
        (r"(x :> 1) @@ f", "PointUpdate(Insert "),
        (r"[k \in DOMAIN f \cup {x} |-> IF k \in DOMAIN f THEN f[k] ELSE 1]", "PointUpdate(InsertIfAbsent "),
        (r"[k \in DOMAIN f \cup {x} |-> IF k \notin DOMAIN f THEN 1 ELSE f[k]]", "PointUpdate(InsertIfAbsent "),
        (r"f @@ x :> 1", "PointUpdate(InsertIfAbsent "),
        (r"[k \in DOMAIN f \ {x} |-> f[k]]", "PointUpdate(Remove "),
        (r"[k \in {j \in DOMAIN f : j # x} |-> f[k]]", "PointUpdate(Remove "),
        (r"f \cup {x}", "PointUpdate(Include "),
        (r"{x} \cup f", "PointUpdate(Include "),
        (r"f \ {x}", "PointUpdate(Exclude "),
        // Another function, another point, a value that depends on the point, several points.
        (r"[k \in DOMAIN f \cup {x} |-> IF k = x THEN 1 ELSE g[k]]", "Function("),
        (r"[k \in DOMAIN f \cup {x} |-> IF k = 2 THEN 1 ELSE f[k]]", "Function("),
        (r"[k \in DOMAIN f \cup {x} |-> IF k = x THEN k ELSE f[k]]", "Function("),
        (r"[k \in DOMAIN f \cup {x, 2} |-> IF k = x THEN 1 ELSE f[k]]", "Function("),
        (r"[k \in DOMAIN f' \cup {x} |-> IF k = x THEN 1 ELSE f[k]]", "Function("),
        (r"[k \in DOMAIN f \ {x} |-> f[x]]", "Function("),
        (r"[k \in {j \in DOMAIN f : j # x /\ j # 2} |-> f[k]]", "Function("),
        (r"f \cup {x, 2}", "Native("),
        (r"{x} \ f", "Native("),
    ] {
        let shown = definition_a(&format!("EXTENDS TLC\nVARIABLES f, g, x\nA == {formula}"));
        assert!(shown.starts_with(expected), "{formula}: {shown}");
    }
}

#[test]
fn an_unbounded_choose_is_a_fresh_value_only_where_it_is_always_the_same() {
    for (formula, expected) in [
        (r"CHOOSE v : v \notin S", "ChooseFresh("),
        (r"CHOOSE v : ~(v \in S)", "ChooseFresh("),
        (r"CHOOSE v : v \notin {v}", "Unevaluable("),
        (r"CHOOSE v : v \notin x", "Unevaluable("),
        (r"CHOOSE v : v \in S", "Unevaluable("),
        (r"\A v : v \in S", "Unevaluable("),
    ] {
        let shown = definition_a(&format!("CONSTANT S\nVARIABLE x\nA == {formula}"));
        assert!(shown.starts_with(expected), "{formula}: {shown}");
    }
}

/// The value of a constant that the command line gives.
fn given(text: &str) -> Result<String, String> {
    let directory = tempfile::tempdir().expect("there is room for a file");
    let path = directory.path().join("Case.tla");
    let module = "---- MODULE Case ----\nEXTENDS Integers\nCONSTANTS K, Op(_, _)\nThree == 3\nA == K\n\
                  VARIABLE x\nInit == x = A\nNext == x' = x\n====\n";
    fs::write(&path, module).expect("there is room for a file");
    let options = spec::Options { constants: vec![text.to_owned()], ..spec::Options::default() };
    let spec = Spec::load(&path, &options).map_err(|error| error.to_string())?;
    let mut shown = Vec::new();
    let mut show = |state| {
        shown.push(spec.show(&state).to_string());
        ControlFlow::Continue(())
    };
    spec.init_states(&mut show).map_err(|error| error.to_string())?;
    Ok(shown.join(" or "))
}

#[test]
fn the_command_line_gives_constants() {
    for (text, expected) in [
        ("K = 1", Ok("x = 1")),
        ("K = {1, 2} \\cup {Three}", Ok("x = {1, 2, 3}")),
        ("K <- Three", Ok("x = 3")),
        ("K = Three", Ok("x = 3")),
        ("K = K", Ok("x = K")),
        ("K = TRUE", Ok("x = TRUE")),
        ("K = BOOLEAN", Ok("x = {FALSE, TRUE}")),
        ("K = {k1, k2}", Ok("x = {k1, k2}")),
        ("K = [n \\in 1..2 |-> n * n]", Ok("x = <<1, 4>>")),
        ("K = Op", Err("`K` takes no arguments, but what is given for it takes 2 arguments")),
        ("K = 1 +", Err("expected")),
        ("K", Err("gives no constant a value")),
        ("= 3", Err("gives no constant a value")),
        ("Other = 3", Err("the constant K has no value")),
    ] {
        match (given(text), expected) {
            (Ok(shown), Ok(expected)) => assert!(shown.contains(expected), "{text}: {shown}"),
            (Err(shown), Err(expected)) => assert!(shown.contains(expected), "{text}: {shown}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

/// Both forms of a formula are compiled, which must not double the work at each level.
#[test]
fn deeply_nested_formulas_are_compiled() {
    let wraps: [fn(&str, usize) -> String; 5] = [
        |inner, at| format!("LET a{at} == ({inner}) IN a{at}"),
        |inner, at| format!(r"IF x = {at} THEN (\E y{at} \in {{1}} : {inner}) ELSE (x' = 2 \/ x = 3)"),
        |inner, _| format!("F({inner})"),
        |inner, at| format!("G(LAMBDA z{at} : {inner}, 1)"),
        |inner, at| format!(r"x = (LET f{at}[n \in {{1}}] == ENABLED (x' = n) IN f{at}) /\ ({inner})"),
    ];
    for wrap in wraps {
        let formula = (0..40).fold("x' = 1".to_owned(), |inner, at| wrap(&inner, at));
        let body = format!("VARIABLE x\nF(act) == act \\/ x' = 2\nG(act(_), n) == act(n)\nA == {formula}\n");
        assert!(!definition_a(&format!("{body}Init == x = 0\nNext == A")).is_empty());
    }
}

#[test]
fn modules_are_looked_for_in_order() {
    let directory = tempfile::tempdir().expect("there is room for a few files");
    let elsewhere = directory.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("there is room for a directory");
    let module = |path: PathBuf, body: &str| {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("names are text");
        fs::write(&path, format!("---- MODULE {name} ----\n{body}\n====\n")).expect("there is room for a few files");
    };
    let extends = "EXTENDS Naturals, Folds, Shared, Far";
    module(
        directory.path().join("Root.tla"),
        &format!("{extends}\nA == <<1 + 1, MapThenFoldSet, shared, far, Nearest>>"),
    );
    // A standard module is always the built-in one; others may be replaced by files.
    module(directory.path().join("Naturals.tla"), "Wrong == 1");
    module(directory.path().join("Folds.tla"), "MapThenFoldSet == 1");
    module(directory.path().join("Shared.tla"), "shared == 1");
    module(elsewhere.join("Shared.tla"), "wrong == 1");
    module(elsewhere.join("Far.tla"), "EXTENDS Near\nfar == Nearest");
    module(elsewhere.join("Near.tla"), "Nearest == 1");
    let root = directory.path().join("Root.tla");
    let found = load(Sources::default(), &root, &[elsewhere]).unwrap_or_else(|error| panic!("{error}"));
    compile(&found, &ConfigFile::default(), &Options::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let error = load(Sources::default(), &root, &[]).expect_err("Far is elsewhere");
    assert!(error.to_string().contains("module `Far` is not found"), "{error}");
}
