//! Commands for the gdb that rr starts.
//!
//! rr starts gdb with our commands (`-x FILE`) *before* its own `-ex 'target extended-remote …'`, so that nothing runs yet
//! when they are read. What has to wait for the connection is a hook after that command of gdb's.

use crate::debugger::{BEGIN, When, echo};
use crate::ending::signal_name;
use crate::whose;

/// What gdb is told: it stops at the wanted moment in the function of the user's that is running, and says so. `signal` is
/// the one that ended the program, if one did.
pub fn script(when: When, signal: Option<i32>, greeting: &str) -> String {
    let second_argument = if cfg!(target_arch = "aarch64") { "$x1" } else { "$rsi" };
    let stop = match when {
        When::Event { start } => {
            // Its first instruction, where arguments are in their registers; in C functions have addresses.
            format!("set language c\nbreak *{BEGIN} if {second_argument} == {start}\nset language auto\n")
        }
        When::Start => "tbreak main\n".to_owned(),
        // Signals that the program handles are its own business.
        When::Crash | When::Deadlock => {
            let fatal = signal.map(|signal| format!("handle {} stop print\n", signal_name(signal)));
            format!("handle all nostop noprint pass\n{}", fatal.unwrap_or_default())
        }
        When::End => "catch syscall exit_group\n".to_owned(),
    };
    format!(
        "set breakpoint pending on\n{stop}{}define target hookpost-extended-remote\ncontinue\n\
         python omnilink_select()\n{}\nend\n",
        selection(),
        echo(greeting)
    )
}

/// A function of gdb's Python, which rr needs anyway, that selects the innermost function that is the user's.
fn selection() -> String {
    let skipped: Vec<String> =
        whose::OMNILINK.iter().chain(&whose::LANGUAGES).map(|prefix| format!("'{prefix}'")).collect();
    let library = "library = gdb.solib_name(frame.pc())";
    format!(
        "python\ndef omnilink_select():\n    frame = gdb.newest_frame()\n    while frame is not None:\n        \
         name = (frame.name() or '').lstrip('<&')\n        {library}\n        \
         own = library is None or not library.startswith(('/lib', '/usr/lib'))\n        \
         if own and name and name != '{BEGIN}' and not name.startswith(({})):\n            frame.select()\n            \
         gdb.execute('frame')\n            return\n        frame = frame.older()\nend\n",
        skipped.join(", ")
    )
}
