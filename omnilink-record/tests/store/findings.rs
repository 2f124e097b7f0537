//! Campaigns and verdicts: what goes in, what it comes to, and that merging is the same in any order.

use std::path::{Path, PathBuf};

use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{
    Answer, Cause, Description, Failing, Filter, InCampaign, Key, Merged, Recording, Statistics, Store, Verdict,
};

use super::{campaign, listed, runs};

fn key(build: &str) -> Key {
    Key { spec: "hash of Queue".to_owned(), manner: "plain".to_owned(), build: build.to_owned() }
}

fn verdict(run: &str, build: &str, answer: Answer, judged: u64) -> Verdict {
    let failing = (answer == Answer::Rejected).then(|| Failing {
        action: "Dequeue".to_owned(),
        conjunct: "queue # <<>>".to_owned(),
        place: Some(("Queue.tla".to_owned(), 17, 8)),
    });
    let statistics = Statistics { lanes: 2, events: 10, configurations: 30, seconds: 0.5 };
    Verdict { run: run.to_owned(), key: key(build), omnilink: "1.0.0".to_owned(), answer, failing, statistics, judged }
}

/// A store with one campaign of these runs; gives their names.
fn with_campaign(path: &Path, runs: &[PathBuf]) -> Vec<String> {
    let mut store = Store::open(path).unwrap();
    let name = store.begin(&Description::of(&campaign(Path::new("/"), 3, "true"))).unwrap();
    let add = |(number, run): (usize, &PathBuf)| {
        let place = InCampaign { campaign: &name, number: number as u64 + 1 };
        store.add(&RunDirectory::open(run), Some(place)).unwrap()
    };
    let names = runs.iter().enumerate().map(add).collect();
    store.end(&name).unwrap();
    names
}

#[test]
fn a_campaign_and_what_it_came_to() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("runs.db");
    // The first run begins no earlier than the campaign.
    let mut store = Store::open(&path).unwrap();
    let name = store.begin(&Description::of(&campaign(Path::new("/"), 5, "true"))).unwrap();
    let mut made = runs(&scratch.path().join("good"), 3, "echo $OMNILINK_SEED");
    made.extend(runs(&scratch.path().join("bad"), 2, "kill -SEGV $$"));
    let mut names = Vec::new();
    for (number, run) in (1..).zip(&made) {
        let place = InCampaign { campaign: &name, number };
        names.push(store.add(&RunDirectory::open(run), Some(place)).unwrap());
    }
    store.end(&name).unwrap();

    let campaigns = store.campaigns().unwrap();
    assert_eq!(campaigns.len(), 1);
    assert_eq!(campaigns[0].description.command, ["/bin/sh", "-c", "true"]);
    assert!(campaigns[0].ended.unwrap() >= campaigns[0].started);
    assert!(campaigns[0].description.host.processors > 0);

    store.judge(&verdict(&names[0], "old", Answer::Accepted, 1), b"{}").unwrap();
    store.judge(&verdict(&names[0], "new", Answer::Rejected, 2), b"{\"why\": 1}").unwrap();
    store.judge(&verdict(&names[1], "new", Answer::Rejected, 3), b"{}").unwrap();
    store.judge(&verdict(&names[2], "new", Answer::Accepted, 4), b"{}").unwrap();
    assert_eq!(store.verdicts(None).unwrap().len(), 4);
    assert_eq!(store.verdicts(Some(&names[0])).unwrap().len(), 2);
    assert_eq!(store.verdict(&names[0], &key("old")).unwrap().unwrap().answer, Answer::Accepted);
    assert_eq!(store.verdict(&names[0], &key("new")).unwrap(), Some(verdict(&names[0], "new", Answer::Rejected, 2)));
    assert_eq!(store.verdict(&names[3], &key("new")).unwrap(), None);
    assert_eq!(store.document(&names[0], &key("new")).unwrap().unwrap(), b"{\"why\": 1}");

    let totals = store.totals(Some(&name)).unwrap();
    assert_eq!(totals.runs, 5);
    assert_eq!(totals.endings.into_iter().collect::<Vec<_>>(), [("crashed".to_owned(), 2), ("passed".to_owned(), 3)]);
    let verdicts: Vec<_> = totals.verdicts.into_iter().collect();
    assert_eq!(
        verdicts,
        [("accepted".to_owned(), 1), ("rejected".to_owned(), 2)],
        "only the latest of each run counts"
    );
    assert_eq!(store.totals(Some("another")).unwrap().runs, 0);

    let failures = store.failures(Some(&name)).unwrap();
    assert_eq!(failures.len(), 2);
    assert!(failures.iter().all(|alike| alike.runs == 2 && alike.first.campaign.as_ref() == Some(&name)));
    assert!(
        matches!(&failures[0].cause, Cause::Ending(kind, how) if kind == "crashed" && how.starts_with("killed by SIGSEGV")),
        "{:?}",
        failures[0].cause
    );
    assert_eq!(failures[0].first.run, names[3]);
    assert!(matches!(&failures[1].cause, Cause::Formula(spec, failing)
        if spec == "hash of Queue" && failing.conjunct == "queue # <<>>"));
    assert_eq!(failures[1].first.run, names[0]);
    let first = store.first_failure(&name).unwrap().unwrap();
    assert_eq!(first.run, names[0], "it crashed later than the first that does not conform");
    assert!(first.after.is_some());
    assert_eq!(store.first_failure("another").unwrap(), None);

    // A search that was cut short does not undo a verdict, another one with the same key does.
    store.judge(&verdict(&names[2], "new", Answer::Unknown, 5), b"{}").unwrap();
    assert_eq!(store.verdict(&names[2], &key("new")).unwrap().unwrap().answer, Answer::Accepted);
    store.judge(&verdict(&names[4], "new", Answer::Unknown, 6), b"{}").unwrap();
    store.judge(&verdict(&names[4], "new", Answer::Accepted, 7), b"{}").unwrap();
    assert_eq!(store.verdict(&names[4], &key("new")).unwrap().unwrap().answer, Answer::Accepted);

    let found = |filter: Filter| store.list(&filter).unwrap().len();
    assert_eq!(found(Filter { failed: true, ..Filter::default() }), 2);
    assert_eq!(found(Filter { verdict: Some(Answer::Rejected), ..Filter::default() }), 2);
    assert_eq!(found(Filter { verdict: Some(Answer::Accepted), ..Filter::default() }), 2);
    assert_eq!(found(Filter { campaign: Some(name.clone()), ..Filter::default() }), 5);
    assert_eq!(found(Filter { campaign: Some("another".to_owned()), ..Filter::default() }), 0);
}

#[test]
fn runs_can_be_counted_without_being_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let mut store = Store::open(&scratch.path().join("runs.db")).unwrap();
    let made = runs(&scratch.path().join("runs"), 2, "echo $OMNILINK_SEED");
    let name = store.count(&RunDirectory::open(&made[0]), None).unwrap();
    assert_eq!(store.totals(None).unwrap().runs, 1);
    assert!(!store.run(&name).unwrap().has_files);
    // A store that has all of it gives it to one that has not.
    let full = scratch.path().join("full.db");
    assert_eq!(Store::open(&full).unwrap().add(&RunDirectory::open(&made[0]), None).unwrap(), name);
    assert_eq!(store.merge(&full).unwrap(), Merged::default());
    assert!(store.run(&name).unwrap().has_files);
}

#[test]
fn specifications_are_kept_by_their_hash() {
    let scratch = tempfile::tempdir().unwrap();
    let mut store = Store::open(&scratch.path().join("runs.db")).unwrap();
    let files = || [("Queue.cfg".to_owned(), "SPECIFICATION Spec"), ("Queue.tla".to_owned(), "---- MODULE Queue ----")];
    store.add_spec("1234", "Queue", files()).unwrap();
    store.add_spec("1234", "Queue", files()).unwrap();
    assert_eq!(store.specs().unwrap().len(), 1);
    let found = store.spec_files("1234").unwrap();
    assert_eq!(found.iter().map(|(path, text)| (path.clone(), text.as_str())).collect::<Vec<_>>(), files());
    assert!(store.spec_files("5678").unwrap().is_empty());
}

/// Merging overlapping stores in any order gives the same, and doing it again adds nothing.
#[test]
fn merging_takes_everything_and_prefers_what_is_final() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    let made = runs(&at("runs"), 3, "echo $OMNILINK_SEED");
    let one = with_campaign(&at("one.db"), &made[..2]);
    let other = with_campaign(&at("other.db"), &made[1..]);
    let shared = &one[1];
    let mut store = Store::open(&at("one.db")).unwrap();
    store.judge(&verdict(shared, "new", Answer::Unknown, 1), b"{}").unwrap();
    store.judge(&verdict(&one[0], "new", Answer::Accepted, 2), b"{}").unwrap();
    store.add_spec("1234", "Queue", [("Queue.tla".to_owned(), "text")]).unwrap();
    store
        .note_recording(&Recording { run: shared.clone(), rr: "rr 5".to_owned(), path: Some(at("elsewhere")) })
        .unwrap();
    let mut store = Store::open(&at("other.db")).unwrap();
    store.judge(&verdict(shared, "new", Answer::Rejected, 3), b"{\"found\": true}").unwrap();
    store.note_recording(&Recording { run: shared.clone(), rr: "rr 5".to_owned(), path: None }).unwrap();

    for order in [["one.db", "other.db"], ["other.db", "one.db"]] {
        let path = at(&order.concat());
        let mut store = Store::open(&path).unwrap();
        let added: Vec<Merged> = order.iter().map(|name| store.merge(&at(name)).unwrap()).collect();
        assert_eq!(added.iter().map(|merged| merged.runs).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(added.iter().map(|merged| merged.campaigns).sum::<u64>(), 2);
        for again in order {
            assert_eq!(store.merge(&at(again)).unwrap(), Merged::default(), "{order:?} {again}");
        }
        assert_eq!(store.merge(&path).unwrap(), Merged::default(), "with itself");
        assert_eq!(listed(&store).len(), 3);
        assert!(listed(&store).iter().all(|entry| entry.campaign.is_some() && entry.has_files));
        assert_eq!(store.verdict(shared, &key("new")).unwrap().unwrap().answer, Answer::Rejected);
        assert_eq!(store.document(shared, &key("new")).unwrap().unwrap(), b"{\"found\": true}");
        assert_eq!(store.verdicts(None).unwrap().len(), 2);
        assert_eq!(store.specs().unwrap().len(), 1);
        assert_eq!(store.spec_files("1234").unwrap().len(), 1);
        assert_eq!(store.recording(shared).unwrap().unwrap().path, None, "the packed one is here");
        store.export(&other[1], &scratch.path().join(order[1]).with_extension("exported")).unwrap();
    }
}
