//! Ours.

use std::path::Path;

use omnilink_runtime::clock::Fences;
use omnilink_runtime::{ActionDef, Session, Site, begin};

use super::{Contestant, Recording};

static TRANSFER: Site =
    Site::new(&[ActionDef { name: "Transfer", params: &["from", "to", "amount"] }], &["from", "to", "amount"]);

pub struct Omnilink(pub Fences);

impl Contestant for Omnilink {
    fn name(&self) -> &'static str {
        match self.0 {
            Fences::Full => "omnilink",
            Fences::Relaxed => "omnilink, relaxed",
        }
    }

    fn start(&self, directory: &Path) -> Box<dyn Recording> {
        let session = Session::builder().directory(directory).relaxed(self.0 == Fences::Relaxed);
        Box::new(Run(session.start().expect("a recorder in an empty directory")))
    }
}

struct Run(Session);

impl Recording for Run {
    fn record(&self, thread: u64, calls: u64) {
        for call in 0..calls {
            let mut op = begin(&TRANSFER);
            op.arg(0, &thread);
            op.arg(1, &call);
            op.arg(2, &(call * 3));
            op.end();
        }
    }

    fn finish(self: Box<Self>, actions: u64) -> u64 {
        actions - self.0.finish().events
    }
}
