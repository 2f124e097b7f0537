//! Ours from C++: through `omnilink.hpp` and the C interface.

use std::path::Path;

use omnilink_runtime::Session;

use super::{Contestant, Recording};

// SAFETY: the function of cpp/transfer.cpp: it takes integers, and any thread may call it at any time.
unsafe extern "C" {
    safe fn bench_record_cpp_transfers(thread: u64, calls: u64);
}

pub struct OmnilinkCpp;

impl Contestant for OmnilinkCpp {
    fn name(&self) -> &'static str {
        "omnilink (C++)"
    }

    fn start(&self, directory: &Path) -> Box<dyn Recording> {
        let session = Session::builder().directory(directory);
        Box::new(Run(session.start().expect("a recorder in an empty directory")))
    }
}

struct Run(Session);

impl Recording for Run {
    fn record(&self, thread: u64, calls: u64) {
        bench_record_cpp_transfers(thread, calls);
    }

    fn finish(self: Box<Self>, actions: u64) -> u64 {
        actions - self.0.finish().events
    }
}
