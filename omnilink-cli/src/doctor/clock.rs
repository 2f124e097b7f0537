//! The clock that timeboxes are read from.

use omnilink_runtime::clock::{self, ClockKind};

use super::{Finding, probe};

const SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// Whether the cycle counter can be used, or the slower kernel clock must be.
pub fn counter() -> Finding {
    let check = "clock";
    let source = probe::setting(SOURCE).unwrap_or_else(|| "unreadable".to_owned());
    if cfg!(target_arch = "aarch64") {
        return Finding::ok(check, format!("cntvct_el0 (kernel clocksource {source})"));
    }
    if !cfg!(target_arch = "x86_64") {
        return Finding::limited(
            check,
            format!("CLOCK_MONOTONIC (kernel clocksource {source})"),
            "recording works; cycle counters are used on x86-64 and aarch64 only",
        );
    }
    match (has_invariant_tsc(), source.as_str()) {
        (true, "tsc") => Finding::ok(check, "invariant TSC, and the kernel keeps time by it"),
        (true, _) => Finding::limited(
            check,
            format!("invariant TSC, but the kernel's clocksource is {source}: CLOCK_MONOTONIC is used"),
            format!(
                "recording works, boxes are somewhat wider; if the counters agree, boot with clocksource=tsc or \
                     write tsc to {SOURCE}"
            ),
        ),
        (false, "tsc") => Finding::limited(
            check,
            "the kernel keeps time by the TSC, but the CPU does not announce it as invariant",
            "boxes may be wrong if cores change their frequency; compare with OMNILINK_CLOCK=monotonic",
        ),
        (false, _) => Finding::limited(
            check,
            format!("no invariant TSC (kernel clocksource {source}): CLOCK_MONOTONIC is used"),
            "recording works, boxes are somewhat wider; on a virtual machine pass the host's TSC through \
             (constant_tsc and nonstop_tsc)",
        ),
    }
}

/// How far the clocks of two cores disagree, as the recorder measures it at the start of a run.
pub fn skew() -> Finding {
    let check = "clock skew";
    let report = clock::probe();
    if report.kind == ClockKind::Monotonic {
        return Finding::ok(check, "none: the kernel keeps CLOCK_MONOTONIC from going backwards across cores");
    }
    let rate = report.ticks_per_second.unwrap_or_default() as f64;
    let warp = report.uncertainty as f64 * 1e9 / rate.max(1.0);
    let seen =
        format!("{} at {:.3} GHz, largest backward warp between cores {warp:.0} ns", report.kind.name(), rate / 1e9);
    if warp <= 100.0 {
        return Finding::ok(check, seen);
    }
    Finding::limited(
        check,
        seen,
        "boxes are widened by this much, so fewer calls are seen to be in order; pin the program to one socket \
         (taskset, numactl) or record with OMNILINK_CLOCK=monotonic",
    )
}

/// The counter ticks at one rate, in all power states of the CPU.
fn has_invariant_tsc() -> bool {
    let Some(cpus) = probe::setting("/proc/cpuinfo") else { return false };
    let flags = cpus.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    ["constant_tsc", "nonstop_tsc"].iter().all(|flag| flags.split_whitespace().any(|word| word == *flag))
}
