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

/// A function of gdb's Python, which rr needs anyway, that selects the innermost function that is the user's. Names tell,
/// and source files: with tables of lines only, functions have names without their crates.
fn selection() -> String {
    let list = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| format!("'{text}', ")).collect::<String>();
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let names = list(&mut owned(&whose::OMNILINK).into_iter().chain(owned(&whose::LANGUAGES)));
    let system = list(&mut owned(&whose::LANGUAGE_SOURCES).into_iter());
    let runtime = list(&mut owned(&whose::RUNTIME_SOURCES).into_iter());
    let versions = list(
        &mut whose::RUNTIME_SOURCES
            .iter()
            .flat_map(|name| whose::RUNTIME_VERSIONS.iter().map(move |version| format!("{name}{version}"))),
    );
    format!(
        "\
python
def omnilink_is_own(frame):
    name = (frame.name() or '').lstrip('<&')
    library = gdb.solib_name(frame.pc())
    source = frame.find_sal().symtab
    path = source.fullname() if source is not None else ''
    parts = path.split('/')
    if not name or name == '{BEGIN}' or name.startswith(({names})):
        return False
    if library is not None and library.startswith(('/lib', '/usr/lib')):
        return False
    if path.endswith('/omnilink.hpp') or any(place in path for place in ({system})):
        return False
    return not any(part in ({runtime}) or part.startswith(({versions})) for part in parts)
def omnilink_select():
    frame = gdb.newest_frame()
    while frame is not None:
        if omnilink_is_own(frame):
            frame.select()
            gdb.execute('frame')
            return
        frame = frame.older()
end
"
    )
}
