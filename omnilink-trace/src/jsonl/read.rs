//! Reading JSON lines.
//!
//! Usually one pass over the file makes the events. It relies on what is known so far of actions and threads
//! ([`super::survey`]). If a later line changes that, a new pass begins; if that happened so often that the file was read
//! twice, all lines are surveyed before the next pass, which is the last one then.

use std::fs;
use std::path::Path;

use crate::error::TraceError;
use crate::trace::{OpenOptions, Trace};

use super::line::Scratch;
use super::lines::{self, Lines};
use super::pass::{Pass, Refusal};
use super::survey::Survey;

/// Reads a file of JSON lines.
pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    read_with(path, &OpenOptions::default())
}

/// As [`read`], with options.
pub fn read_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Trace, TraceError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(TraceError::io(path, "reading"))?;
    let mut file = Lines::of(path, &bytes);
    let header = file.take_header()?;
    let mut survey = Survey::new(&header);
    let mut reread = 0;
    'passes: loop {
        survey.restart();
        let mut pass = Pass::new(&header).map_err(|wrong| lines::error(path, None, *wrong))?;
        let (mut lines, mut scratch) = (file.clone(), Scratch::default());
        while let Some(text) = lines.next() {
            let refusal = match text.parse(&mut scratch) {
                Ok(line) => pass.push(line, &mut scratch.args, text.offset, &mut survey),
                Err(wrong) => Err(Refusal::Unreadable(wrong)),
            };
            let wrong = match refusal {
                Ok(()) => continue,
                Err(Refusal::Changed) => {
                    reread += lines.read();
                    if reread > bytes.len() {
                        survey.complete(file.clone());
                    }
                    continue 'passes;
                }
                // A later line may declare what is missing here.
                Err(Refusal::Wrong(_)) if !survey.complete => {
                    survey.complete(file.clone());
                    continue 'passes;
                }
                Err(Refusal::Wrong(wrong) | Refusal::Unreadable(wrong)) => wrong,
            };
            let cut = lines.cut(text, *wrong, options)?;
            for lane in pass.trace.lane_ids() {
                pass.trace.stop_here(lane, cut.reason);
            }
            pass.trace.notice(cut.notice);
            break;
        }
        return pass.trace.finish(path);
    }
}
