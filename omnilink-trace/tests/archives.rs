//! Packed runs that somebody made by hand, with bad intentions or without.
#![cfg(feature = "pack")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use omnilink_trace::{Trace, pack, unpack, write_run};
use tar::{EntryType, Header};

/// A header that does not care whether the name is a good one.
fn header(name: &str, kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn archive(path: &Path, entries: &[(Header, &[u8])]) {
    let mut out = zstd::Encoder::new(File::create(path).unwrap(), 1).unwrap();
    for (header, bytes) in entries {
        out.write_all(header.as_bytes()).unwrap();
        out.write_all(bytes).unwrap();
        out.write_all(&vec![0; bytes.len().next_multiple_of(512) - bytes.len()]).unwrap();
    }
    out.finish().unwrap();
}

/// What opening and unpacking say about an archive; both must refuse it, and unpacking must leave nothing outside.
fn refused(entries: &[(Header, &[u8])]) -> String {
    let place = tempfile::tempdir().unwrap();
    let packed = place.path().join("run.tar.zst");
    archive(&packed, entries);
    let opened = Trace::open(&packed).unwrap_err().to_string();
    let into = place.path().join("into");
    let unpacked = unpack(&packed, &into).unwrap_err().to_string();
    assert_eq!(opened, unpacked);
    let names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing but the archive and the directory: {names:?}");
    opened.replace(&place.path().display().to_string(), "RUN")
}

#[test]
fn hostile_archives_are_refused() {
    let names = "a run has only run.json and lane files (00000.lane, …), without directories";
    let rest = "the archive was not made by `omnilink pack`: nothing of it is used";
    let file = EntryType::Regular;
    for name in ["../00000.lane", "/00000.lane", "a/00000.lane", "evil.sh", "00000.lane/..", "0.lane"] {
        assert_eq!(
            refused(&[(header(name, file, 1), b"x")]),
            format!("RUN/run.tar.zst: entry `{name}`: {names}; {rest}")
        );
    }
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Directory, EntryType::Fifo, EntryType::GNULongName] {
        assert_eq!(
            refused(&[(header("00000.lane", kind, 0), b"")]),
            format!("RUN/run.tar.zst: entry `00000.lane`: it is not a plain file; {rest}")
        );
    }
    assert_eq!(
        refused(&[(header("run.json", file, 0), b""), (header("run.json", file, 0), b"")]).replace(rest, "REST"),
        "RUN/run.tar.zst: entry `run.json`: the archive contains it twice; REST",
        "the first, empty one is not looked at before the archive is known to be sound"
    );
}

#[test]
fn claimed_sizes_are_not_believed() {
    let text = refused(&[(header("00000.lane", EntryType::Regular, 1 << 40), b"few")]);
    assert_eq!(
        text,
        "RUN/run.tar.zst: entry `00000.lane`: the archive ends inside it; the archive was not made by `omnilink pack`: \
         nothing of it is used"
    );
}

#[test]
fn an_archive_that_explodes_is_refused() {
    let zeros = vec![0; 80 << 20];
    let text = refused(&[(header("00000.lane", EntryType::Regular, zeros.len() as u64), &zeros)]);
    assert_eq!(
        text,
        "RUN/run.tar.zst: unpacking failed: it unpacks to more than 67108864 bytes, which is too much for a run of its size"
    );
}

#[test]
fn an_archive_without_lanes_and_one_that_is_cut_off() {
    let place = tempfile::tempdir().unwrap();
    let packed = place.path().join("run.tar.zst");
    archive(&packed, &[]);
    let text = Trace::open(&packed).unwrap_err().to_string();
    assert!(text.ends_with("run.tar.zst: empty run: the archive has no lane file"), "{text}");

    let history = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/set-history.jsonl");
    let run = place.path().join("run");
    write_run(&Trace::open(history).unwrap(), &run).unwrap();
    let whole = place.path().join("whole.tar.zst");
    pack(&run, &whole).unwrap();
    let bytes = fs::read(&whole).unwrap();
    for len in 4..bytes.len() {
        fs::write(&packed, &bytes[..len]).unwrap();
        let text = Trace::open(&packed).unwrap_err().to_string();
        assert!(text.contains("run.tar.zst: "), "{text}");
    }
}
