//! Who may run programs, and what is left when whoever does is killed.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use omnilink_record::Ending;
use omnilink_record::chaos::strategy::StrategyKind;

use crate::subjects::{plan, run, subject, wait_until};

/// Set for the process that is to be killed: the file that its program writes its id to.
const VICTIM: &str = "OMNILINK_TEST_VICTIM";

/// Not a test: the process that [`nothing_outlives_the_recorder`] kills.
#[test]
fn victim() {
    let Ok(file) = std::env::var(VICTIM) else { return };
    let mut endless = plan(&subject("endless"), StrategyKind::RandomWalk, 1);
    endless.arguments = vec![file];
    endless.limits.decisions = u64::MAX;
    run(&endless).unwrap();
}

#[test]
fn nothing_outlives_the_recorder() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("pid");
    let mut recorder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::victim"])
        .env(VICTIM, &file)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = wait_until("the program has begun", || fs::read_to_string(&file).ok()?.trim().parse::<u32>().ok());
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    wait_until("the program is gone", || (!is_alive(pid)).then_some(()));
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// If the tests run as root, one thread becomes nobody; else they are unprivileged anyway.
#[test]
fn no_privileges_are_needed() {
    // Where nobody may look into our directories, the program is put where they may.
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("program");
    fs::copy(subject("locks"), &program).unwrap();
    fs::set_permissions(scratch.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let unprivileged = thread::spawn(move || {
        become_nobody();
        run(&plan(&program, StrategyKind::RandomWalk, 1)).unwrap()
    });
    let observed = unprivileged.join().unwrap();
    assert_eq!(observed.ending, Ending::Exited(0));
    assert_eq!(observed.notes, Vec::<String>::new());
}

/// Gives up all privileges, for this thread only.
fn become_nobody() {
    const NOBODY: libc::uid_t = 65534;
    // SAFETY: system calls that take plain numbers; as system calls, not as functions of libc, they concern one thread.
    let failed = unsafe {
        if libc::geteuid() != 0 {
            return;
        }
        libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>()) == -1
            || libc::syscall(libc::SYS_setresgid, NOBODY, NOBODY, NOBODY) == -1
            || libc::syscall(libc::SYS_setresuid, NOBODY, NOBODY, NOBODY) == -1
            // A process that changes its user may not be traced until it executes another program, or says so.
            || libc::prctl(libc::PR_SET_DUMPABLE, 1) == -1
    };
    assert!(!failed, "{}", io::Error::last_os_error());
}
