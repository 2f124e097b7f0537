//! Which words of memory processes share.
//!
//! A word of shared memory may have a different address in every process that maps it. It is identified by the file that is
//! mapped and the offset in it; memory that is shared without a file has an inode of the kernel's.

use std::fs;
use std::io;

use libc::pid_t;

/// A word that processes share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    device: String,
    inode: u64,
    offset: u64,
    /// Others than the program and its children may map it: its file has a name, or had one.
    pub has_name: bool,
}

/// Which word is at an address of a process; none if the process has it for itself.
pub fn place(pid: pid_t, address: u64) -> io::Result<Option<Place>> {
    Ok(find(&fs::read_to_string(format!("/proc/{pid}/maps"))?, address))
}

fn find(maps: &str, address: u64) -> Option<Place> {
    maps.lines().find_map(|line| {
        // 7f0000000000-7f0000001000 rw-s 00000000 00:01 1024   /dev/zero (deleted)
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
        let access = fields.next()?;
        if !(start..end).contains(&address) || !access.ends_with('s') {
            return None;
        }
        let offset = u64::from_str_radix(fields.next()?, 16).ok()?;
        let (device, inode) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        let name = fields.next().unwrap_or_default();
        Some(Place { device, inode, offset: offset + (address - start), has_name: name != "/dev/zero" })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_wherever_they_are_mapped() {
        let parent = "7f0000000000-7f0000001000 rw-s 00000000 00:01 1024                       /dev/zero (deleted)\n\
                      7f0000001000-7f0000002000 rw-p 00000000 00:00 0 \n\
                      7f0000002000-7f0000004000 rw-s 00001000 00:1a 77                         /dev/shm/a name\n";
        let child = "600000000000-600000002000 rw-s 00002000 00:1a 77                         /dev/shm/a name\n";
        let shared = find(parent, 0x7f00_0000_0010).unwrap();
        assert!(!shared.has_name && shared.offset == 0x10);
        assert_eq!(find(parent, 0x7f00_0000_1010), None, "private");
        assert_eq!(find(parent, 0x7f00_0000_4000), None, "not mapped");
        let named = find(parent, 0x7f00_0000_3008).unwrap();
        assert!(named.has_name);
        assert_eq!(find(child, 0x6000_0000_0008), Some(named));
        assert_ne!(find(child, 0x6000_0000_0010), find(parent, 0x7f00_0000_3008));
    }
}
