//! `omnilink show`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use omnilink_trace::jsonl::RecordLines;
use omnilink_trace::{OpenOptions, Trace};
use serde_json::json;

use crate::failure::Failure;
use crate::palette::{self, buffered_stdout};
use crate::show::{Filter, Lines, Report, ReportText, Selection, Wanted, time};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink show run                                   the events, then a summary
  omnilink show run --summary                         only the summary
  omnilink show run --thread consumer --action Dequeue --from 1.5ms --to 2ms
  omnilink show run --events --json --limit 10        JSON lines
  omnilink show damaged-run --recover                 the valid part of a damaged file";

/// How many events a terminal shows unless told otherwise.
const TERMINAL_LIMIT: u64 = 100;

/// Print the events of a trace, and a summary of them
///
/// A line has the timebox of a call in nanoseconds from the trace's first event, the lane (thread) and the call in TLA+
/// notation. `?elem` is an argument that was not recorded. Calls are sorted by start. The summary covers all selected
/// events, independent of --limit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// Run directories, packed runs, lane files, JSON lines or upstream logs
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// Only this thread, by lane index or name; may be repeated
    #[arg(long, value_name = "LANE")]
    thread: Vec<String>,
    /// Only this action; may be repeated
    #[arg(long, value_name = "NAME")]
    action: Vec<String>,
    /// Only calls that end at this time or later: 250ns, 5us, 1.5ms, 2s from the trace's start
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    from: Option<u64>,
    /// Only calls that start at this time or earlier
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    to: Option<u64>,
    /// Print at most this many lines of events [default: 100 on a terminal, else all]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Print only the events
    #[arg(long, conflicts_with = "summary")]
    events: bool,
    /// Print only the summary
    #[arg(long)]
    summary: bool,
    /// Print JSON: an object per line for each event, as `export` writes them, and one for the summary
    #[arg(long)]
    json: bool,
    /// Keep the valid part of damaged files
    #[arg(long)]
    recover: bool,
}

impl Show {
    /// Shows one trace after the other; one that cannot be read does not keep the others from being shown.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let mut failed = false;
        for (i, path) in self.traces.iter().enumerate() {
            let separate = i > 0 && !self.json;
            match self.show(path, separate) {
                Ok(()) => {}
                Err(Failure::ReaderGone) => return Err(Failure::ReaderGone),
                Err(failure) => {
                    failure.report();
                    failed = true;
                }
            }
        }
        if failed { Err(Failure::Reported) } else { Ok(ExitCode::SUCCESS) }
    }

    fn show(&self, path: &Path, separate: bool) -> Result<(), Failure> {
        let trace = Trace::open_with(path, &OpenOptions::recover(self.recover))?;
        let filter = Filter::new(&trace, &self.wanted())?;
        let filtered = !filter.is_everything();
        let mut selection = Selection::new(&trace, filter, self.line_limit());
        let mut out = buffered_stdout();
        if separate {
            writeln!(out)?;
        }
        if self.json {
            self.print_json(&trace, &mut selection, &mut out)?;
        } else {
            self.print_text(&trace, &mut selection, &mut out)?;
        }
        if !self.events {
            let report = Report::new(selection.into_tally(), filtered);
            if self.json {
                writeln!(out, "{}", json!({ "summary": report }))?;
            } else {
                ReportText::new(&report, trace.time_unit(), palette::stdout(), &mut out).write()?;
            }
        }
        out.flush()?;
        Ok(())
    }

    fn print_text(&self, trace: &Trace, selection: &mut Selection<'_>, out: &mut impl Write) -> Result<(), Failure> {
        let lines = Lines::new(trace, palette::stdout());
        if !self.summary {
            lines.head(out)?;
        }
        while !self.has_seen_enough(selection)
            && let Some(seen) = selection.next()
        {
            let seen = seen?;
            if seen.print {
                lines.write(out, &seen.record)?;
            }
        }
        let left_out = selection.left_out();
        if left_out > 0 && self.limit.is_none() && !self.summary {
            writeln!(out, "… and {left_out} more; --limit N shows more of them")?;
        }
        if !self.summary && !self.events {
            writeln!(out)?;
        }
        Ok(())
    }

    /// Prints records as the export does, with their boxes as recorded; the selection sees them as they are checked.
    fn print_json(&self, trace: &Trace, selection: &mut Selection<'_>, out: &mut impl Write) -> Result<(), Failure> {
        let lines = RecordLines::new(trace);
        let mut recorded = trace.records_as_recorded();
        while !self.has_seen_enough(selection)
            && let (Some(seen), Some(record)) = (selection.next(), recorded.next())
        {
            if seen?.print {
                lines.write(out, &record?)?;
            }
        }
        Ok(())
    }

    /// True if neither lines nor a summary are to be had from further records.
    fn has_seen_enough(&self, selection: &Selection<'_>) -> bool {
        self.events && self.limit.is_some() && selection.is_full()
    }

    fn wanted(&self) -> Wanted {
        Wanted { threads: self.thread.clone(), actions: self.action.clone(), from: self.from, to: self.to }
    }

    fn line_limit(&self) -> u64 {
        match self.limit {
            _ if self.summary => 0,
            Some(limit) => limit,
            None if std::io::stdout().is_terminal() && !self.json => TERMINAL_LIMIT,
            None => u64::MAX,
        }
    }
}
