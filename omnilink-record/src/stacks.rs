//! Where the threads of a program were when it went wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A thread of a program: the first is 0, then in the order in which they began.
pub type ThreadIndex = usize;

/// Where a thread was, and what it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadStack {
    /// Which thread.
    pub thread: ThreadIndex,
    /// What it did: `received SIGSEGV`, `waits at 0x…`, `can run`.
    pub does: String,
    /// It received the signal that ended the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub crashed: bool,
    /// The traced calls that it had begun and not ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// The functions that it was in, innermost first.
    pub frames: Vec<Frame>,
    /// Why there are not more of them, if that is not because the thread began there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
}

/// A function that a thread was in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Its name, or the place in its file if it has none.
    pub function: String,
    /// The source file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Whose code it is.
    pub whose: Whose,
    /// It was inlined into the function that comes next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inlined: bool,
    /// Where the frame that it is part of begins on the stack, as debuggers count it (the CFA). Not kept.
    #[serde(skip)]
    pub stack_address: u64,
}

/// Whose code a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// The user's.
    Own,
    /// OmniLink's: what records actions, and the loop of fuzzers.
    Omnilink,
    /// The languages' and the system's libraries.
    System,
}

impl ThreadStack {
    /// The function of the user's that the thread was in, with its place among the frames: one whose source is known, if
    /// there is one.
    pub fn own_frame(&self) -> Option<(usize, &Frame)> {
        let own = || self.frames.iter().enumerate().filter(|(_, frame)| frame.whose == Whose::Own);
        own().find(|(_, frame)| frame.line.is_some()).or_else(|| own().next())
    }
}

/// The function of the user's in which a program crashed.
pub fn crash_frame(stacks: &[ThreadStack]) -> Option<&Frame> {
    let crashed = stacks.iter().find(|stack| stack.crashed)?;
    crashed.own_frame().map(|(_, frame)| frame).or(crashed.frames.first())
}

/// All of it as text: a line per thread, followed by its frames.
pub fn text(stacks: &[ThreadStack]) -> String {
    stacks.iter().map(ToString::to_string).collect()
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.function)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " at {file}:{line}"),
            (Some(file), None) => write!(f, " at {file}"),
            (None, _) => Ok(()),
        }
    }
}

impl fmt::Display for ThreadStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {} {}", self.thread, self.does)?;
        // What is below it has led there.
        if let Some((1.., frame)) = self.own_frame() {
            write!(f, ", called by {frame}")?;
        }
        if !self.calls.is_empty() {
            write!(f, ", in {}", self.calls.join(", "))?;
        }
        writeln!(f)?;
        // Recursion.
        for same in self.frames.chunk_by(|one, next| one.to_string() == next.to_string()) {
            match same.len() {
                1 => writeln!(f, "    {}", same[0])?,
                times => writeln!(f, "    {} ({times} times)", same[0])?,
            }
        }
        self.cut.iter().try_for_each(|cut| writeln!(f, "    ({cut})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, whose: Whose, line: Option<u32>) -> Frame {
        let file = line.map(|_| "queue.cpp".to_owned());
        Frame { function: function.to_owned(), file, line, whose, inlined: false, stack_address: 0 }
    }

    #[test]
    fn the_users_frame_is_named_first() {
        let stack = ThreadStack {
            thread: 2,
            does: "received SIGABRT".to_owned(),
            crashed: true,
            calls: vec!["Push(1)".to_owned()],
            frames: vec![
                frame("abort", Whose::System, None),
                frame("omnilink::check", Whose::Omnilink, Some(3)),
                frame("without_lines", Whose::Own, None),
                frame("push", Whose::Own, Some(7)),
                frame("main", Whose::Own, Some(20)),
                frame("main", Whose::Own, Some(20)),
            ],
            cut: Some("deeper frames are left out".to_owned()),
        };
        assert_eq!(
            text(std::slice::from_ref(&stack)),
            "thread 2 received SIGABRT, called by push at queue.cpp:7, in Push(1)\n    abort\n    \
             omnilink::check at queue.cpp:3\n    without_lines\n    push at queue.cpp:7\n    main at queue.cpp:20 (2 times)\n    \
             (deeper frames are left out)\n"
        );
        let stacks = [ThreadStack { crashed: false, ..stack.clone() }, stack];
        assert_eq!(crash_frame(&stacks).unwrap().function, "push");
        assert_eq!(crash_frame(&stacks[..1]), None);
    }
}
