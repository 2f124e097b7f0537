//! Why rr cannot record, from what it says itself.
//!
//! Where rr cannot work it says so, in a line marked `[FATAL …]` or in a few lines that begin with `rr needs`, followed
//! by advice for people who build rr, or a backtrace. We make one sentence of it, with what to do. The texts are those of
//! rr's sources (`PerfCounters*`, `RecordSession.cc`, `Task.cc`), old and new; what we do not know is quoted.

use std::fmt;

/// Why rr cannot record, in one sentence, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: &'static str,
    /// Whether it is one of the things that we know of.
    known: bool,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.reason, self.remedy)
    }
}

const NO_COUNTERS: &str = "rr needs hardware performance counters, which this machine does not give";
/// What to do where it is not known what else would help.
const OTHERWISE: &str = "use --chaos, which needs none, or a machine with counters (see `omnilink doctor`)";
const NOT_ALLOWED: &str = "rr may not use performance counters";
const ALLOW: &str = "allow perf_event_open (in a container --cap-add=PERFMON), or use --chaos";
const UNKNOWN_PROCESSOR: &str = "this rr does not know this processor";
const NEWER: &str = "install a newer rr, try --rr-arg=--microarch=NAME, or use --chaos";
const NO_TRACING: &str = "rr may not trace programs";
const ALLOW_TRACING: &str = "allow ptrace (in a container --cap-add=SYS_PTRACE); --chaos needs it, too";

/// What rr says, what it means, and what to do. The first that fits counts.
const COMPLAINTS: [(&[&str], &str, &str); 13] = [
    (
        &["perf_event_paranoid"],
        "rr may not use performance counters (kernel.perf_event_paranoid is too high)",
        "run `sysctl kernel.perf_event_paranoid=1` as root, or use --chaos",
    ),
    (&["Permission denied to use 'perf_event_open'"], NOT_ALLOWED, ALLOW),
    (&["Failed to initialize counter", "EPERM"], NOT_ALLOWED, ALLOW),
    (&["Failed to initialize counter", "EACCES"], NOT_ALLOWED, ALLOW),
    (&["Failed to initialize counter"], NO_COUNTERS, OTHERWISE),
    (&["Unable to open performance counter"], NO_COUNTERS, OTHERWISE),
    (&["hardware performance counter seems to not be working"], NO_COUNTERS, OTHERWISE),
    (&["No supported microarchitectures found"], NO_COUNTERS, OTHERWISE),
    (&["CPU type", "unknown"], UNKNOWN_PROCESSOR, NEWER),
    (&["Unknown CPU vendor"], UNKNOWN_PROCESSOR, NEWER),
    (&["Microarchitecture `", "unsupported"], UNKNOWN_PROCESSOR, NEWER),
    (&["PTRACE_SEIZE failed"], NO_TRACING, ALLOW_TRACING),
    (&["Tracee died before reaching SIGSTOP"], NO_TRACING, ALLOW_TRACING),
];

impl Diagnosis {
    /// Something that we do not know of.
    pub(super) fn unknown(reason: String) -> Self {
        Self { reason, remedy: OTHERWISE, known: false }
    }

    /// Something that we know of, with what to do about it.
    pub(super) fn known(reason: String, remedy: &'static str) -> Self {
        Self { reason, remedy, known: true }
    }

    /// Whether it is one of the things that we know of: else the remedy is what always helps.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// What is wrong with rr, if its output tells: as opposed to the program that it records.
    pub fn from_output(output: &str) -> Option<Self> {
        let marked = |line: &&str| line.starts_with("[FATAL") || line.starts_with("rr needs");
        let mut lines = output.lines().map(str::trim);
        let complaint = lines.find(marked)?;
        // Some texts begin on the line after the mark.
        let text = std::iter::once(complaint).chain(lines).collect::<Vec<_>>().join("\n");
        let known = COMPLAINTS.iter().find(|(parts, ..)| parts.iter().all(|part| text.contains(part)));
        Some(match known {
            Some((_, reason, remedy)) => Self::known((*reason).to_owned(), remedy),
            None => Self::unknown(format!("rr cannot record: {complaint}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rr said on machines where it could not record, and what we make of it.
    const SAID: [(&str, &str); 16] = [
        (
            "[FATAL ./src/PerfCounters_x86.h:117:compute_cpu_microarch()] Intel CPU type 0xc06f0 unknown",
            UNKNOWN_PROCESSOR,
        ),
        (
            "[FATAL src/PerfCounters_x86.h:121:compute_cpu_microarch()] AMD CPU type 0xb40f40 (ext family 0xb) unknown",
            UNKNOWN_PROCESSOR,
        ),
        (
            "[FATAL src/PerfCounters_x86.h:90:compute_cpu_microarch()] Unknown CPU vendor 'CentaurHauls'",
            UNKNOWN_PROCESSOR,
        ),
        (
            "[FATAL src/PerfCounters.cc:340:init()] Microarchitecture `AMD Ryzen' currently unsupported.",
            UNKNOWN_PROCESSOR,
        ),
        (
            "[FATAL ./src/PerfCounters.cc:306:start_counter()] Unable to open performance counter with \
             'perf_event_open'; are hardware perf events available? See \
             https://github.com/rr-debugger/rr/wiki/Will-rr-work-on-my-system",
            NO_COUNTERS,
        ),
        (
            "[FATAL ../src/PerfCounters.cc:217:start_counter() errno: ENOENT] Unable to open performance counter with \
             'perf_event_open'; are perf events enabled? Try 'perf record'.",
            NO_COUNTERS,
        ),
        (
            "[FATAL /home/icarus/Software/rr/src/PerfCounters.cc:191:start_counter() errno: 2 'No such file or \
             directory']\n -> Failed to initialize counter",
            NO_COUNTERS,
        ),
        (
            "rr: Saving execution to trace directory `/home/no/.local/share/rr/ls-0'.\n\
             [FATAL src/PerfCounters.cc:411:start_counter() errno: EINVAL] Failed to initialize counter\n\
             === Start rr backtrace:\n./build/bin/rr(+0xf0c0d) [0x5d6023217c0d]",
            NO_COUNTERS,
        ),
        (
            "[FATAL src/PerfCounters.cc:393:check_working_counters()]\nGot 0 branch events, expected at least 500.\n\n\
             The hardware performance counter seems to not be working. Check\nthat hardware performance counters",
            NO_COUNTERS,
        ),
        (
            "[FATAL ./src/PerfCounters.cc:304:start_counter()] Permission denied to use 'perf_event_open'; are \
             hardware perf events available? See https://github.com/rr-debugger/rr/wiki/Will-rr-work-on-my-system",
            NOT_ALLOWED,
        ),
        ("[FATAL /src/src/PerfCounters.cc:298:start_counter() errno: EPERM] Failed to initialize counter", NOT_ALLOWED),
        (
            "rr needs /proc/sys/kernel/perf_event_paranoid <= 1, but it is 2.\nChange it to 1, or use \
             'rr record -n' (slow).",
            "kernel.perf_event_paranoid",
        ),
        (
            "[FATAL /home/roc/rr/rr/src/RecordSession.cc:1693:create() errno: SUCCESS] rr needs \
             /proc/sys/kernel/perf_event_paranoid <= 1, but it is 2.",
            "sysctl kernel.perf_event_paranoid=1",
        ),
        (
            "[FATAL ./src/Task.cc:3596:spawn() errno: EPERM] PTRACE_SEIZE failed for tid 4711; child probably \
             died before reaching SIGSTOP\nChild's message: ",
            NO_TRACING,
        ),
        ("[FATAL ./src/Task.cc:3616:spawn()] Tracee died before reaching SIGSTOP\nChild's message: ", NO_TRACING),
        ("[FATAL ./src/a.cc:1] something new", "rr cannot record: [FATAL ./src/a.cc:1] something new"),
    ];

    #[test]
    fn complaints_are_recognised() {
        for (output, expected) in SAID {
            let diagnosis = Diagnosis::from_output(output).unwrap().to_string();
            assert!(diagnosis.contains(expected), "{output}\n{diagnosis}");
            assert!(diagnosis.contains("--chaos") && diagnosis.lines().count() == 1, "{diagnosis}");
        }
        for fine in ["", "the program says: FATAL\n", "rr: Saving execution to trace directory `/x'.\n"] {
            assert_eq!(Diagnosis::from_output(fine), None);
        }
    }
}
