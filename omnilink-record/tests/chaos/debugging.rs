//! A debugger that looks into a replay, spoken for here in gdb's protocol.

use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use omnilink_record::campaign::{Campaign, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::debugger::{Arrival, Host, Invitation, Socket, When};
use omnilink_record::replay;

use crate::repetition::CHAOS;
use crate::subjects::{plan, subject, wait_until};

/// Says when the debugger may connect.
#[derive(Debug)]
struct Doorman(Sender<()>);

impl Host for Doorman {
    fn reached(&mut self, _: &Arrival) -> io::Result<()> {
        self.0.send(()).map_err(io::Error::other)
    }

    fn is_gone(&mut self) -> bool {
        false
    }
}

fn packet(text: &str) -> String {
    format!("${text}#{:02x}", text.bytes().fold(0_u8, u8::wrapping_add))
}

/// What the other side says next, without acknowledgements.
fn answer(stream: &mut TcpStream) -> String {
    let (mut text, mut byte) = (Vec::new(), [0]);
    while byte != *b"#" {
        stream.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    stream.read_exact(&mut [0; 2]).unwrap();
    String::from_utf8(text).unwrap().trim_start_matches(['+', '$']).to_owned()
}

/// A thread that is alone and waits in the kernel, for another process, can be stopped, and goes on waiting.
#[test]
fn who_waits_in_the_kernel_can_be_stopped() {
    let scratch = tempfile::tempdir().unwrap();
    let [waiting, may_go, runs] = ["waiting", "go", "runs"].map(|name| scratch.path().join(name));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mut plan = plan(&subject("waits_for_child"), StrategyKind::RandomWalk, 0);
    plan.arguments = vec![text(&waiting), text(&may_go)];
    let campaign = Campaign {
        plan,
        modes: CHAOS,
        seed: 1,
        first: 1,
        vary: false,
        until: Until { runs: Some(1), ..Until::default() },
        jobs: 1,
        directory: runs.clone(),
    };
    fs::create_dir(&runs).unwrap();
    fs::write(&may_go, "").unwrap();
    let mut recorded = Vec::new();
    campaign.run(&AtomicBool::new(false), &mut |run, _| recorded.push(run.directory.clone())).unwrap();
    fs::remove_file(&waiting).unwrap();
    fs::remove_file(&may_go).unwrap();

    let socket = Socket::port(0).unwrap();
    let address = socket.address().unwrap();
    let (door, opened) = channel();
    let invitation = Invitation { when: When::Start, socket: Some(socket), host: Box::new(Doorman(door)) };
    let visit = thread::spawn(move || {
        opened.recv().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        // Nobody lets the child go before the program was stopped: it would wait forever.
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.write_all(packet("?").as_bytes()).unwrap();
        assert!(answer(&mut stream).starts_with(['S', 'T']));
        for _ in 0..4 {
            stream.write_all(format!("+{}", packet("vCont;c")).as_bytes()).unwrap();
            wait_until("the child is there", || waiting.exists().then_some(()));
            // As Ctrl-C in gdb does.
            stream.write_all(&[3]).unwrap();
            let stopped = answer(&mut stream);
            assert!(stopped.starts_with("T02"), "{stopped}");
        }
        fs::write(&may_go, "").unwrap();
    });
    let replayed =
        replay::debug(&recorded[0], &scratch.path().join("again"), &AtomicBool::new(false), Some(invitation)).unwrap();
    visit.join().unwrap();
    assert_eq!(replayed.differences, Vec::<String>::new());
}
