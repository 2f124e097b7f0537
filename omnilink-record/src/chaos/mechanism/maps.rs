//! The memory mappings of a process.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use libc::pid_t;

use super::control::PAGE;

/// A mapping of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// Whether code in it can be executed.
    pub executable: bool,
    /// Where in the file it begins.
    pub offset: u64,
    /// The file, if it is one.
    pub file: Option<PathBuf>,
}

/// All mappings by address.
pub fn mappings(pid: pid_t) -> io::Result<Vec<Mapping>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/maps"))?;
    Ok(text.lines().filter_map(parse).collect())
}

fn parse(line: &str) -> Option<Mapping> {
    // 555555554000-555555558000 r-xp 00001000 fe:00 1234    /path with spaces
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
    let executable = fields.next()?.contains('x');
    let offset = hexadecimal(fields.next()?)?;
    let file = fields.nth(2).map(str::trim_start).filter(|name| name.starts_with('/')).map(PathBuf::from);
    Some(Mapping { range: hexadecimal(start)?..hexadecimal(end)?, executable, offset, file })
}

/// Where `room` bytes are free that code at `near` can jump to: below it if possible, because above it the heap may
/// grow.
pub fn find_room(mappings: &[Mapping], near: &Range<u64>, room: u64) -> Option<u64> {
    /// Jumps reach two gigabytes; displaced instructions may refer to what is as far away again.
    const REACH: u64 = 1 << 30;
    /// The kernel keeps the first pages free, so that null pointers fault.
    const LOWEST: u64 = 1 << 20;
    /// What the heap may take before it has to continue elsewhere.
    const HEAP: u64 = 1 << 28;
    let gaps = || {
        let starts = std::iter::once(LOWEST).chain(mappings.iter().map(|mapping| mapping.range.end));
        let ends = mappings.iter().map(|mapping| mapping.range.start).chain(std::iter::once(1 << 47));
        starts.zip(ends).filter(|(start, end)| start < end)
    };
    let below = gaps().filter(|&(_, end)| end <= near.start).filter_map(|(start, end)| {
        let place = end.checked_sub(room)?;
        (place >= start && place + REACH >= near.end).then_some(place)
    });
    let above = gaps().filter_map(|(start, end)| {
        let place = start.max(near.end.next_multiple_of(PAGE) + HEAP);
        (place + room <= end && place + room <= near.start + REACH).then_some(place)
    });
    below.max().or_else(|| above.min())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let mapping = parse("555555554000-555555558000 r-xp 00001000 fe:00 1234    /a path/prog").unwrap();
        assert_eq!((mapping.range.start, mapping.offset, mapping.executable), (0x5555_5555_4000, 0x1000, true));
        assert_eq!(mapping.file.unwrap().to_str(), Some("/a path/prog"));
        assert_eq!(parse("7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0      [stack]").unwrap().file, None);
        assert_eq!(parse("nonsense"), None);
    }

    #[test]
    fn room_is_below_or_else_beyond_the_heap() {
        let at = |start, end| Mapping { range: start..end, executable: true, offset: 0, file: None };
        let movable = [at(0x5555_5555_4000, 0x5555_5555_8000)];
        assert_eq!(find_room(&movable, &movable[0].range, 0x4000), Some(0x5555_5555_0000));
        let fixed = [at(0x40_0000, 0x50_0000), at(0x50_0000, 0x52_0000)];
        assert_eq!(find_room(&fixed, &(0x40_0000..0x50_0000), 0x10_0000), Some(0x30_0000));
        assert_eq!(find_room(&fixed, &(0x40_0000..0x4f_fff0), 0x1000_0000), Some(0x1050_0000));
        assert_eq!(find_room(&fixed, &(0x40_0000..0x50_0000), 1 << 40), None);
    }
}
