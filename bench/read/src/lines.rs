//! The same events as JSON lines.

use std::fmt::Write as _;

use omnilink_trace::{Trace, TraceError, jsonl};

/// As `omnilink export` writes them.
pub fn exported(trace: &Trace) -> Result<String, TraceError> {
    let mut text = Vec::new();
    jsonl::write(trace, &mut text)?;
    Ok(String::from_utf8(text).expect("JSON lines are UTF-8"))
}

/// As another program might write them: lanes by name, arguments beside the other keys, strings, spaces.
pub fn of_others(lanes: u64, events: u64) -> String {
    let mut text = String::new();
    for event in 0..events {
        for lane in 0..lanes {
            let (start, key) = (event * 1000 + lane * 10, event % 100);
            let end = start + 500 + event * 37 % 400;
            let line = match event % 3 {
                0 => format!("\"op\": \"put\", \"key\": \"k{key}\", \"value\": \"v{event}\""),
                1 => format!("\"op\": \"get\", \"key\": \"k{key}\", \"result\": \"v{event}\""),
                _ => format!("\"op\": \"append\", \"key\": \"k{key}\", \"value\": \"x {event} y\""),
            };
            writeln!(text, "{{\"thread\": \"client-{lane}\", {line}, \"start\": {start}, \"end\": {end}}}")
                .expect("a string takes everything");
        }
    }
    text
}
