//! What cannot be run says why, and what can be done instead.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use omnilink_record::chaos::strategy::StrategyKind;

use crate::subjects::{plan, run, subject};

#[test]
fn refusals() {
    let scratch = tempfile::tempdir().unwrap();
    let file = |name: &str, contents: &[u8], mode: u32| {
        let path = scratch.path().join(name);
        fs::write(&path, contents).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let elf = fs::read(subject("racy_counter")).unwrap();
    let patched = |at: usize, byte: u8| {
        let mut elf = elf.clone();
        elf[at] = byte;
        elf
    };
    // The class of an ELF file is its byte 4 (1: 32 bits), the machine its byte 18 (0xb7: aarch64).
    let cases = [
        (scratch.path().join("missing"), "No such file", ""),
        (file("script", b"#!/bin/sh\n", 0o755), "is a script", "use --free"),
        (file("text", b"no program", 0o755), "is not an ELF file", "use --free"),
        (file("narrow", &patched(4, 1), 0o755), "", "use --free"),
        (file("arm", &patched(18, 0xb7), 0o755), "is code for Aarch64", "use --free"),
        (file("setuid", &elf, 0o4755), "changes its user or group", "use --free"),
        (file("locked", &elf, 0o644), "Permission denied", ""),
    ];
    for (program, reason, remedy) in cases {
        let error = run(&plan(&program, StrategyKind::RandomWalk, 1)).unwrap_err().to_string();
        assert!(error.starts_with(&program.display().to_string()), "{error}");
        assert!(error.contains(reason) && error.contains(remedy), "{error}");
    }
    let mut elsewhere = plan(&subject("racy_counter"), StrategyKind::RandomWalk, 1);
    elsewhere.working_directory = Path::new("/surely/not/there").to_owned();
    assert!(run(&elsewhere).unwrap_err().to_string().starts_with("/surely/not/there: No such file"));
}
