//! What cannot be run says why, and what can be done instead.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;

use libc::{c_long, sock_filter};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::{Ending, Observed, RecordError};

use crate::subjects::{compile, plan, run, subject};

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
    let patched = |at: usize, bytes: &[u8]| {
        let mut elf = elf.clone();
        elf[at..at + bytes.len()].copy_from_slice(bytes);
        elf
    };
    // The class of an ELF file is its byte 4 (1: 32 bits), the machine its byte 18 (0xb7: aarch64). Its section headers are
    // at the place that its bytes 40 to 48 tell, and as many as the bytes 60 and 61 do.
    let without_sections = {
        let mut elf = patched(40, &[0; 8]);
        elf[60..64].fill(0);
        elf
    };
    // A section by which a Go program is known, instead of another one.
    let as_if_by_go = {
        let (old, new) = (b".note.gnu.property", b".note.go.buildid\0\0");
        let at = elf.windows(old.len()).position(|bytes| bytes == old).expect("gcc writes this section");
        patched(at, new)
    };
    let static_elf = fs::read(compile("racy_counter", &["-static", "-s"])).unwrap();
    let without_unwinding = compile(
        "without_unwinding",
        &["-nostdlib", "-static", "-fno-exceptions", "-fno-asynchronous-unwind-tables", "-s"],
    );
    let cases = [
        (scratch.path().join("missing"), "No such file", ""),
        (file("script", b"#!/bin/sh\n", 0o755), "is a script", "use --free"),
        (file("text", b"no program", 0o755), "is not an ELF file", "use --free"),
        (file("narrow", &patched(4, &[1]), 0o755), "is 32-bit code", "use --free"),
        (file("arm", &patched(18, &[0xb7]), 0o755), "is code for Aarch64", "use --free"),
        (file("bare", &without_sections, 0o755), "has no section headers", "use --free"),
        (file("cut", &static_elf[..static_elf.len() / 2], 0o755), "is a damaged ELF file", "use --free"),
        (without_unwinding, "has neither an unwind table (.eh_frame) nor symbols", "use --free"),
        (file("go", &as_if_by_go, 0o755), "is a Go program", "use --free"),
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

/// Where the kernel, or a container, forbids what the scheduler needs, it says what and how to allow it.
#[test]
fn what_is_forbidden() {
    let program = subject("locks");
    let cases = [
        (libc::SYS_ptrace, "tracing the program (PTRACE_SEIZE): Operation not permitted", "or use --free"),
        (
            libc::SYS_prctl,
            "asking the kernel to report system calls (seccomp): Operation not permitted",
            "or use --free",
        ),
    ];
    for (call, what, remedy) in cases {
        let error = run_without(call, &program).unwrap_err().to_string();
        assert!(error.starts_with(what) && error.ends_with(remedy), "{error}");
    }
    let observed = run_without(libc::SYS_personality, &program).unwrap();
    assert_eq!(observed.ending, Ending::Exited(0));
    assert!(observed.notes[0].starts_with("addresses could not be fixed"), "{:?}", observed.notes);
}

/// Runs a program from a thread, and in a process, that may not make this system call.
fn run_without(call: c_long, program: &Path) -> Result<Observed, RecordError> {
    thread::scope(|scope| {
        let confined = scope.spawn(|| {
            forbid(call);
            run(&plan(program, StrategyKind::RandomWalk, 1))
        });
        confined.join().unwrap()
    })
}

/// Makes a system call fail for this thread, as a container does.
fn forbid(call: c_long) {
    let instruction = |code: u32, jf: u8, k: u32| sock_filter { code: code as u16, jt: 0, jf, k };
    let number = std::mem::offset_of!(libc::seccomp_data, nr) as u32;
    let filter = [
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, number),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, call as u32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the filter outlives the call, which reads it; both calls concern this thread alone.
    let failed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1
            || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == -1
    };
    assert!(!failed, "{}", io::Error::last_os_error());
}
