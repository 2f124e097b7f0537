//! The memory use of the process.

/// Anonymous memory of the process in bytes; `None` if the system does not report it.
pub fn held() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_written_to_is_held() {
        const SIZE: usize = 64 << 20;
        let before = super::held().expect("Linux tells");
        let block = vec![1u8; SIZE];
        let after = super::held().expect("Linux tells");
        assert!(
            after >= before + SIZE / 2,
            "{before} before, {after} after {} bytes",
            std::hint::black_box(block).len()
        );
    }
}
