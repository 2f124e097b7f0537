//! Reports of real campaigns: what they say, that their pages are whole, and that text in them stays text.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::markup::{self, Link};
use support::{error_of, queue_demo, run, stdout_of};
use tempfile::TempDir;

const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");
const BRANCHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/report/Branching.tla");
const HOSTILE: &str = "<script>alert('1')</script>\"&`|*";

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn store(&self) -> String {
        self.at("runs.db")
    }

    /// Runs the demo in a loop until it fails, or often enough.
    fn run(&self, spec: &str, options: &[&str], demo: &[&str]) -> i32 {
        let (store, program) = (self.store(), [queue_demo(), "--threads", "2", "--ops", "20"]);
        let first = ["run", spec, "--check-timeout", "10m", "--chaos", "--store", &store];
        run([&first, options, &["--"], &program, demo].concat()).status.code().unwrap()
    }

    fn model(&self, options: &[&str]) -> Value {
        serde_json::from_str(&stdout_of([&["report", &self.store(), "--json"], options].concat())).unwrap()
    }

    /// Writes the pages and gives those of HTML, by name; each is whole, and what it refers to is there.
    fn pages(&self) -> Vec<(String, String)> {
        let directory = PathBuf::from(self.at("report"));
        stdout_of(["report", &self.store(), "-o", directory.to_str().unwrap()]);
        let names = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name.ends_with(".html")).collect();
        names.sort();
        let read = |name: String| {
            let page = fs::read_to_string(directory.join(&name)).unwrap();
            check_page(&directory, &page);
            (name, page)
        };
        names.into_iter().map(read).collect()
    }
}

fn check_page(directory: &Path, page: &str) {
    let markup = markup::read(page).unwrap_or_else(|problem| panic!("{problem}\n{page}"));
    assert!(!markup.elements.contains("script"), "{page}");
    assert!(!page.contains("http:") && !page.contains("https:"), "the page refers to elsewhere");
    assert!(!markup.links.is_empty());
    for link in markup.links {
        match link {
            Link::Place(place) => assert!(markup.ids.contains(&place), "#{place}"),
            Link::File(file) => assert!(directory.join(&file).is_file(), "{file}"),
        }
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn a_campaign_that_fails_and_one_that_does_not() {
    let place = Place::new();
    assert_eq!(place.run(QUEUE, &["--seed", "5"], &["--queue", "buggy"]), 1);
    assert_eq!(place.run(QUEUE, &["--seed", "1", "--runs", "3"], &[]), 0);
    let model = place.model(&[]);
    let [failing, passing] = &model["campaigns"].as_array().unwrap()[..] else { panic!("{model}") };

    let runs = number(&failing["totals"]["runs"]);
    assert_eq!(number(&failing["totals"]["events"]), runs * 40);
    assert_eq!(number(&failing["totals"]["verdicts"]["rejected"]), 1);
    assert_eq!(failing["totals"]["verdicts"]["accepted"].as_u64().unwrap_or(0), runs - 1);
    assert_eq!(number(&failing["with_files"]), 1, "accepted runs are counted, not kept");
    let first = &failing["first_failure"];
    assert_eq!((number(&first["number"]), number(&first["runs"])), (runs, runs));
    assert!(first["after"].is_u64());
    let failure = &failing["failures"][0];
    let reason = &failure["cause"]["rejected"]["failing"];
    assert_eq!(failing["failures"].as_array().unwrap().len(), 1);
    assert_eq!((&reason["action"], &reason["conjunct"]), (&"Dequeue".into(), &"elem = Head(queue)".into()));
    assert!(failure["explanation"].as_str().unwrap().contains("one of these calls has to come next"));
    assert_eq!(failure["runs"][0]["run"], first["run"]);
    let words = failure["runs"][0]["replay"].as_str().unwrap().split(' ').skip(1);
    assert!(stdout_of(words).contains("the same run"), "the command that is told repeats it");

    // The verdicts tell what was exercised and measured, though the runs are gone.
    let coverage = &failing["coverage"][0];
    assert_eq!(number(&coverage["coverage"]["orders"]), runs - 1);
    let actions = coverage["coverage"]["actions"].as_array().unwrap();
    assert_eq!(actions.iter().map(|action| number(&action["recorded"])).sum::<u64>(), runs * 40);
    assert_eq!(actions.iter().map(|action| number(&action["taken"])).sum::<u64>(), (runs - 1) * 40);
    assert_eq!(number(&failing["boxes"][0]["runs"]), runs);
    let calls = |histogram: &Value| histogram.as_array().unwrap().iter().map(number).sum::<u64>();
    assert_eq!(calls(&failing["boxes"][0]["widths"]), runs * 40);
    assert_eq!(calls(&failing["boxes"][0]["overlaps"]), runs * 40);
    let schedules = &failing["schedules"];
    assert_eq!(number(&schedules["seeds"]), runs);
    assert_eq!((number(&schedules["scheduled"]), number(&schedules["distinct"])), (runs, runs));
    assert_eq!(number(&schedules["modes"]["chaos, random-walk"]), runs);
    assert_eq!(number(&schedules["decisions"]["count"]), runs);

    assert_eq!((&passing["failures"], &passing["first_failure"]), (&Value::Array(vec![]), &Value::Null));
    assert_eq!(number(&passing["totals"]["verdicts"]["accepted"]), 3);

    let pages = place.pages();
    let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["campaign-1.html", "campaign-2.html", "index.html"]);
    assert!(pages[0].1.contains("1 distinct failure in"), "{}", pages[0].1);
    assert!(pages[1].1.contains("No failure in 3 runs."));
    assert!(pages[2].1.contains("Failures in 1 of 2 campaigns."));
    let file = place.at(&format!("report/{}", failure["runs"][0]["counterexample"].as_str().unwrap()));
    let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(document["format"], "omnilink-counterexample");
    let markdown = fs::read_to_string(place.at("report/campaign-1.md")).unwrap();
    assert!(markdown.contains("### 1× Dequeue of Queue: elem = Head(queue) is FALSE"), "{markdown}");
    let name = failing["name"].as_str().unwrap();
    assert_eq!(place.model(&["--campaign", &name[..8]])["campaigns"].as_array().unwrap().len(), 1);
}

#[test]
fn branches_that_were_taken_are_told_from_those_that_were_not() {
    let place = Place::new();
    assert_eq!(place.run(BRANCHING, &["--seed", "1", "--runs", "2"], &[]), 0);
    let model = place.model(&[]);
    let coverage = &model["campaigns"][0]["coverage"][0]["coverage"];
    let action = |name: &str| {
        let mut actions = coverage["actions"].as_array().unwrap().iter();
        actions.find(|action| action["name"] == name).unwrap_or_else(|| panic!("{name} in {coverage}"))
    };
    let branches = |name: &str| -> Vec<(String, String, bool, bool)> {
        let branch = |branch: &Value| {
            let text = |key: &str| branch[key].as_str().unwrap().to_owned();
            (text("kind"), text("formula"), number(&branch["enabled"]) > 0, number(&branch["taken"]) > 0)
        };
        action(name)["branches"].as_array().unwrap().iter().map(branch).collect()
    };
    let row = |kind: &str, formula: &str, enabled, taken| (kind.to_owned(), formula.to_owned(), enabled, taken);
    assert_eq!(
        branches("Enqueue"),
        [
            row("disjunct", "Len(queue) > 1000 /\\ queue' = <<>>", false, false),
            row("disjunct", "queue' = Append(queue, elem)", true, true),
        ]
    );
    assert_eq!(
        branches("DequeueEmpty"),
        [row("then", "UNCHANGED queue", true, true), row("else", "FALSE", false, false)]
    );
    let nobody = action("Nobody");
    assert_eq!((number(&nobody["recorded"]), number(&nobody["taken"])), (0, 0));
    let page = &place.pages()[0];
    assert_eq!(page.0, "index.html", "of one campaign there is one page");
    for words in ["never enabled", "never recorded", "3 of 4 actions taken"] {
        assert!(page.1.contains(words), "{words}");
    }
}

#[test]
fn programs_that_fail_have_their_last_words_and_names_stay_text() {
    let place = Place::new();
    let store = place.store();
    let complain = format!("echo '<b>it broke</b>' >&2; exit 3 # {HOSTILE}").replace('\'', "\"");
    let first = ["record", "--free", "--runs", "7", "--store", &store, "--", "sh", "-c"];
    assert_eq!(run([&first[..], &[&complain]].concat()).status.code(), Some(1));
    stdout_of(["record", "--free", "--runs", "1", "--store", &store, "--", "true", HOSTILE]);
    let model = place.model(&[]);
    let failure = &model["campaigns"][0]["failures"][0];
    assert_eq!(failure["cause"]["ending"]["kind"], "failed");
    assert_eq!((number(&failure["count"]), failure["runs"].as_array().unwrap().len()), (7, 5));
    assert_eq!(failure["stderr"][0], "<b>it broke</b>");
    assert_eq!(failure["runs"][0]["replay"], Value::Null, "the kernel scheduled it");
    assert_eq!(model["campaigns"][0]["boxes"], Value::Array(vec![]));
    let pages = place.pages();
    assert!(pages[0].1.contains("&lt;b&gt;it broke&lt;/b&gt;") && pages[0].1.contains("and 2 other runs"));
    assert!(pages[1].1.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"), "{}", pages[1].1);
    let markdown = fs::read_to_string(place.at("report/index.md")).unwrap();
    assert!(markdown.contains("\\<script\\>") && !markdown.contains("[true <"), "{markdown}");
}

#[test]
fn runs_that_nobody_checked_are_measured() {
    let place = Place::new();
    let (store, directory) = (place.store(), place.at("run"));
    let program = [queue_demo(), "--threads", "2", "--ops", "10"];
    stdout_of([&["record", "--chaos", "--runs", "1", "-o", &directory, "--"], &program[..]].concat());
    stdout_of(["store", "add", &store, &format!("{directory}/run-000001")]);
    let model = place.model(&[]);
    let [campaign] = &model["campaigns"].as_array().unwrap()[..] else { panic!("{model}") };
    assert_eq!((&campaign["name"], number(&campaign["unchecked"])), (&Value::Null, 1));
    assert_eq!(number(&campaign["boxes"][0]["runs"]), 1);
    assert!(number(&campaign["schedules"]["decisions"]["median"]) > 0);
    let page = &place.pages()[0].1;
    assert!(page.contains("none was checked against a specification"), "{page}");
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let place = Place::new();
    let (store, directory) = (place.store(), place.at("report"));
    assert!(error_of(["report", &store, "-o", &directory]).contains("runs.db"));
    assert!(!Path::new(&directory).exists() && !Path::new(&store).exists());
    fs::write(&store, "").unwrap();
    assert!(error_of(["report", &store, "--json"]).contains("there are no campaigns and no runs"));
    stdout_of(["record", "--free", "--runs", "1", "--store", &store, "true"]);
    assert!(error_of(["report", &store, "--json", "--campaign", "zzz"]).contains("has no campaign zzz"));
    fs::create_dir(&directory).unwrap();
    fs::write(place.at("report/precious"), "mine").unwrap();
    assert!(error_of(["report", &store, "-o", &directory]).contains("is not empty"));
    stdout_of(["report", &store, "-o", &directory, "--force"]);
    assert_eq!(fs::read_to_string(place.at("report/precious")).unwrap(), "mine");
    assert!(error_of(["report", &store, "-o", &store, "--force"]).contains("runs.db"), "it is a file");
}
