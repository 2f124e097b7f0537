//! The identity of traces and specifications: SHA-256 of their contents.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use omnilink_tla::Spec;
use omnilink_trace::layout;
use sha2::{Digest, Sha256};

use super::traces::belongs_to_a_run;

/// The hash of a trace's files: relative names and contents. An error if there is none; then the cache is
/// not used.
pub fn of_trace(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.retain(|entry| belongs_to_a_run(entry));
        if entries.is_empty() {
            // It is not a trace, but it may be the directory of a run that contains one.
            let inner = path.join(layout::TRACE_DIRECTORY);
            return if inner.is_dir() { of_trace(&inner) } else { Err(io::ErrorKind::NotFound.into()) };
        }
        entries.sort();
        for entry in &entries {
            text(&mut hash, &entry.file_name().unwrap_or_default().to_string_lossy());
            file(&mut hash, entry)?;
        }
    } else {
        file(&mut hash, path)?;
    }
    Ok(hexadecimal(hash))
}

/// The hash of a specification's files, including its configuration and the given constants.
pub fn of_spec(spec: &Spec) -> String {
    let mut hash = Sha256::new();
    for file in spec.sources().files() {
        text(&mut hash, &file.path.file_name().unwrap_or_default().to_string_lossy());
        text(&mut hash, &file.text);
    }
    hexadecimal(hash)
}

/// The hash of texts in their order.
pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    texts.into_iter().for_each(|part| text(&mut hash, part));
    hexadecimal(hash)
}

/// The length separates a text from the next.
fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

fn file(hash: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    hash.update(file.metadata()?.len().to_le_bytes());
    let mut buffer = vec![0; 1 << 16];
    loop {
        omnilink_budget::poll();
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            len => hash.update(&buffer[..len]),
        }
    }
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
