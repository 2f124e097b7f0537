//! What the tests of the recorder share: one recorder at a time, traces as text, and programs that may die.
#![allow(dead_code, reason = "every test program uses a part of it")]

pub mod program;
pub mod reading;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use omnilink_runtime::{Session, SessionBuilder, Summary};
use reading::{Recorded, read};

/// A process has at most one recorder, and tests run in threads of one process.
pub fn alone() -> MutexGuard<'static, ()> {
    static RECORDER: Mutex<()> = Mutex::new(());
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what `body` does and reads it.
pub fn record(body: impl FnOnce()) -> Recorded {
    record_with(Session::builder(), body).1
}

/// As [`record`], with a recorder of the caller's choice.
pub fn record_with(builder: SessionBuilder, body: impl FnOnce()) -> (Summary, Recorded) {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let session = builder.directory(directory.path()).start().unwrap();
    body();
    (session.finish(), read(directory.path()))
}

/// A site with one action.
#[macro_export]
macro_rules! site {
    ($name:ident($($param:ident),*)) => {{
        static SITE: omnilink_runtime::Site = omnilink_runtime::Site::new(
            &[omnilink_runtime::ActionDef { name: stringify!($name), params: &[$(stringify!($param)),*] }],
            &[$(stringify!($param)),*],
        );
        &SITE
    }};
}

/// The names of the files in a directory, in order.
pub fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
