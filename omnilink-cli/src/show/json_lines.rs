//! Selected lines of the JSON lines export.

use std::io::{self, Write};

use super::selection::Selection;

/// Takes the lines that the export of a trace writes, and passes on those whose records are to be printed.
///
/// The export writes a header and then one line per record, in the order in which the selection sees the records. So
/// what `show --json` prints is what `export` writes, to the byte.
pub struct SelectedLines<'s, 't, W> {
    selection: &'s mut Selection<'t>,
    out: W,
    /// The beginning of a line whose end has not been written yet.
    line: Vec<u8>,
    header_seen: bool,
}

impl<'s, 't, W: Write> SelectedLines<'s, 't, W> {
    /// Passes lines on to `out`.
    pub fn new(selection: &'s mut Selection<'t>, out: W) -> Self {
        Self { selection, out, line: Vec::new(), header_seen: false }
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.header_seen, true)
            && let Some(seen) = self.selection.next()
            && seen.map_err(io::Error::other)?.print
        {
            self.out.write_all(&self.line)?;
        }
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Write for SelectedLines<'_, '_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
