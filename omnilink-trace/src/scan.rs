//! Opens a lane: one pass that validates everything and builds no values.

use std::path::Path;
use std::sync::Arc;

use crate::control::Control;
use crate::error::{Finding, Notice, Problem, TraceError};
use crate::event::{LaneId, Vocabulary};
use crate::lane::{Lane, LaneEnd, Live, StopReason};
use crate::layout;
use crate::record::{self, Header, Scanned};
use crate::slot;
use crate::source::Source;
use crate::table::Table;
use crate::window::{Stop, Window};

/// The result of opening a lane.
#[derive(Debug)]
pub(crate) enum Opened {
    /// The file was created, and nothing was written to it.
    Unborn,
    /// A lane; without header if that was lost.
    Lane { lane: Box<Lane>, header: Option<Header>, notices: Vec<Notice> },
}

/// Where the valid records of a lane end before they should, and why.
#[derive(Debug)]
struct Cut {
    offset: u64,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Torn { missing: u64 },
    Corrupt(Problem),
}

impl Cut {
    fn corrupt((offset, problem): (u64, Problem)) -> Self {
        Self { offset, cause: Cause::Corrupt(problem) }
    }

    fn reason(&self) -> StopReason {
        match self.cause {
            Cause::Torn { .. } => StopReason::Torn,
            Cause::Corrupt(_) => StopReason::Corrupt,
        }
    }

    fn notice(self, path: &Path) -> Notice {
        let finding = match self.cause {
            Cause::Torn { missing } => Finding::Torn { missing },
            Cause::Corrupt(problem) => Finding::Recovered(problem.to_string()),
        };
        Notice { path: path.into(), offset: Some(self.offset), finding }
    }
}

/// Opens the lane in `source`, which `path` names in messages. `number` is the lane's index by its file name.
pub(crate) fn open(
    path: &Path,
    source: Source,
    number: Option<LaneId>,
    vocabulary: &mut Vocabulary,
    recover: bool,
) -> Result<Opened, TraceError> {
    let control = Control::read(&source).map_err(TraceError::io(path, "reading"))?;
    let unwritten = control.has_magic() && control.version() == 0 && control.committed() == 0;
    if control.blank() || unwritten {
        return Ok(Opened::Unborn);
    }
    if !control.has_magic() {
        return Err(TraceError::NotATrace { path: path.into(), found: beginning(control.bytes()) });
    }
    if control.whole() && control.version() != layout::VERSION {
        return Err(TraceError::Version {
            path: path.into(),
            offset: layout::VERSION_AT as u64,
            found: control.version().into(),
            known: layout::VERSION,
        });
    }
    let mut pass = match check_control(&control, &source, path)? {
        Ok(None) => return Ok(Opened::Unborn),
        Ok(Some(stream)) => Pass::over(&source, stream, vocabulary).map_err(TraceError::io(path, "reading"))?,
        Err(cut) => Pass::nothing(cut),
    };
    let mut oversized = Vec::new();
    let mut pending = None;
    if pass.cut.is_none() && !control.unsettled {
        let lane = pass.header.as_ref().map_or(0, |header| header.lane);
        match slot::read(&control, lane, &pass.table, pass.events, pass.last_end) {
            Ok(None) => {}
            Ok(Some(slot)) => {
                oversized = slot.oversized;
                pending = Some(slot.pending);
            }
            Err(wrong) => pass.cut = Some(Cut::corrupt(wrong)),
        }
    }
    if let (Some(Cut { offset, cause: Cause::Corrupt(problem) }), false) = (&pass.cut, recover) {
        return Err(TraceError::Corrupt { path: path.into(), offset: *offset, problem: problem.clone() });
    }
    match (&pass.header, number) {
        (Some(header), Some(name)) if header.lane != name => {
            return Err(TraceError::LaneIndex { path: path.into(), header: header.lane, name });
        }
        _ => {}
    }

    let started = pending.as_ref().map(|pending| pending.event.timebox.start);
    let live = Live { progress: control.progress(), known_until: started.unwrap_or(pass.last_end) };
    let mut notices = Vec::new();
    for param in oversized {
        let finding = Finding::Oversized { param: vocabulary.name(param).into() };
        notices.push(Notice { path: path.into(), offset: Some(layout::SLOT_OVERSIZED_AT as u64), finding });
    }
    if let Some(offset) = pass.first_unknown {
        let finding = Finding::UnknownArguments { events: pass.unknown };
        notices.push(Notice { path: path.into(), offset: Some(offset), finding });
    }
    let header = pass.header;
    let lane = Lane {
        index: header.as_ref().map(|header| header.lane).or(number).unwrap_or_default(),
        name: header.as_ref().map(|header| header.name.clone()).unwrap_or_default(),
        seed: header.as_ref().and_then(|header| header.seed),
        path: path.into(),
        stream: layout::DATA_OFFSET,
        begin: pass.begin,
        valid: pass.valid,
        events: pass.events,
        first_start: pass.first_start.or(started),
        end: end_of(&control, pass.cut.as_ref(), pass.last_end),
        pending,
        table: Arc::new(pass.table),
        vocabulary: Arc::default(),
        widening: 0,
        origins: None,
        live: (control.open() && matches!(source, Source::File(_))).then_some(live),
        source,
    };
    notices.extend(pass.cut.map(|cut| cut.notice(path)));
    Ok(Opened::Lane { lane: Box::new(lane), header, notices })
}

/// The stream of a lane as its control block describes it.
#[derive(Debug)]
struct Stream {
    /// Where its bytes really end.
    end: u64,
    /// Bytes that should be there and are not.
    missing: u64,
}

/// The stream that the control block promises, none if nothing was committed.
fn check_control(control: &Control, source: &Source, path: &Path) -> Result<Result<Option<Stream>, Cut>, TraceError> {
    if !control.whole() {
        let len = control.bytes().len() as u64;
        return Ok(Err(Cut { offset: len, cause: Cause::Torn { missing: layout::DATA_OFFSET - len } }));
    }
    if let Err(wrong) = control.check() {
        return Ok(Err(Cut::corrupt(wrong)));
    }
    if control.committed() == 0 {
        return Ok(Ok(None));
    }
    let promised = layout::DATA_OFFSET + control.committed();
    let len = source.len().map_err(TraceError::io(path, "reading"))?;
    Ok(Ok(Some(Stream { end: promised.min(len), missing: promised.saturating_sub(len) })))
}

fn end_of(control: &Control, cut: Option<&Cut>, last_end: u64) -> LaneEnd {
    let recorded = match control.stop() {
        _ if !control.whole() || control.check().is_err() => None,
        (0, 0) => None,
        // The reason is written before the time. All calls up to the last record are there.
        (0, code) => Some((last_end, StopReason::from_code(code).unwrap_or(StopReason::Unstated))),
        (at, code) => Some((at, StopReason::from_code(code).unwrap_or(StopReason::Unstated))),
    };
    let cut = cut.map(|cut| (last_end, cut.reason()));
    match recorded.into_iter().chain(cut).min_by_key(|(at, _)| *at) {
        None => LaneEnd::Complete,
        Some((at, reason)) => LaneEnd::Stopped { at, reason },
    }
}

/// How a file that should be a lane begins, for messages.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(8)];
    format!("it begins with the bytes {shown:02x?}")
}

/// What one pass over the stream found.
#[derive(Debug, Default)]
struct Pass {
    header: Option<Header>,
    table: Table,
    begin: u64,
    valid: u64,
    events: u64,
    first_start: Option<u64>,
    last_end: u64,
    unknown: u64,
    first_unknown: Option<u64>,
    cut: Option<Cut>,
}

impl Pass {
    /// A pass over a stream that cannot be found.
    fn nothing(cut: Cut) -> Self {
        Self { begin: layout::DATA_OFFSET, valid: layout::DATA_OFFSET, cut: Some(cut), ..Self::default() }
    }

    fn over(source: &Source, stream: Stream, vocabulary: &mut Vocabulary) -> std::io::Result<Self> {
        let mut window = Window::new(source, layout::DATA_OFFSET, stream.end);
        let mut pass = Self { begin: layout::DATA_OFFSET, valid: layout::DATA_OFFSET, ..Self::default() };
        let stop = match pass.header(&mut window, vocabulary) {
            Ok(()) => pass.records(&mut window, vocabulary),
            Err(stop) => Err(stop),
        };
        let torn = |offset| Cut { offset, cause: Cause::Torn { missing: stream.missing } };
        pass.cut = match stop {
            Ok(()) if stream.missing > 0 => Some(torn(pass.valid)),
            Ok(()) => None,
            Err(Stop::Short { offset }) if stream.missing > 0 => Some(torn(offset)),
            Err(Stop::Short { offset }) => Some(Cut::corrupt((offset, Problem::RecordOverrun))),
            Err(Stop::Bad { offset, problem }) => Some(Cut::corrupt((offset, problem))),
            Err(Stop::Io(error)) => return Err(error),
        };
        Ok(pass)
    }

    fn header(&mut self, window: &mut Window<'_>, vocabulary: &mut Vocabulary) -> Result<(), Stop> {
        let Some((offset, header)) = window.next(Header::read)? else { return Ok(()) };
        for (name, params) in &header.actions {
            let params: Vec<_> = params.iter().map(String::as_str).collect();
            self.table.define_action(vocabulary, name, &params).map_err(|problem| Stop::Bad { offset, problem })?;
        }
        self.header = Some(header);
        self.begin = window.offset();
        self.valid = window.offset();
        Ok(())
    }

    fn records(&mut self, window: &mut Window<'_>, vocabulary: &mut Vocabulary) -> Result<(), Stop> {
        let (table, mut last_end) = (&mut self.table, 0);
        while let Some((offset, scanned)) = window.next(|cursor| record::scan(cursor, table, vocabulary, last_end))? {
            match scanned {
                Scanned::Definition => {}
                Scanned::Event { start, end, unknown } => {
                    self.events += 1;
                    self.first_start.get_or_insert(start);
                    last_end = end;
                    if unknown {
                        self.unknown += 1;
                        self.first_unknown.get_or_insert(offset);
                    }
                }
                Scanned::Terminated { time } => {
                    self.first_start.get_or_insert(time);
                    last_end = time;
                }
            }
            self.valid = window.offset();
            self.last_end = last_end;
        }
        Ok(())
    }
}
