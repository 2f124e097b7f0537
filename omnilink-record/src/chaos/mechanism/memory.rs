//! The memory of a traced process.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

/// Memory of a traced process, also where the process itself may not write.
#[derive(Debug)]
pub struct Memory(File);

impl Memory {
    /// The memory that the process has now; another program that it becomes has another.
    pub fn of(pid: libc::pid_t) -> io::Result<Self> {
        OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")).map(Self)
    }

    /// Fills `bytes`.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(bytes, address)
    }

    /// Writes `bytes`.
    pub fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, address)
    }

    /// A terminated text, if it is a short one.
    pub fn text(&self, address: u64) -> Option<String> {
        const SHORT: usize = 64;
        let mut bytes = [0; SHORT];
        let length = self.0.read_at(&mut bytes, address).ok()?;
        let end = bytes[..length].iter().position(|&byte| byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    }

    /// A 32-bit word.
    pub fn u32(&self, address: u64) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A 64-bit word.
    pub fn u64(&self, address: u64) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Writes a 32-bit word.
    pub fn set_u32(&self, address: u64, value: u32) -> io::Result<()> {
        self.write(address, &value.to_le_bytes())
    }

    /// Writes a 64-bit word.
    pub fn set_u64(&self, address: u64, value: u64) -> io::Result<()> {
        self.write(address, &value.to_le_bytes())
    }
}
