//! A running hash: over everything that was decided, so that equal hashes mean equal schedules, and over files.

/// See the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleHash(u64);

impl Default for ScheduleHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl ScheduleHash {
    /// Adds numbers.
    pub fn add(&mut self, numbers: &[u64]) {
        for number in numbers {
            // FNV-1a over words instead of bytes, with a rotation that brings high bits down again.
            self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17);
        }
    }

    /// Adds bytes, and how many there are.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(&[u64::from_le_bytes(word)]);
        }
        self.add(&[bytes.len() as u64]);
    }

    /// What it is now.
    pub fn value(self) -> u64 {
        self.0
    }
}
