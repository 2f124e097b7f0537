//! What a specification reads from outside of its files, recorded so that it can be checked later whether it would read the same.
//!
//! What follows from a specification follows from its files alone only if it asks for nothing else. Natives get at files, the
//! environment and the clock only here, and this module records what they got. Whatever keeps a conclusion keeps
//! these records with it, and uses it again only where all of them still hold.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Something that came from outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reading {
    /// A file.
    File {
        /// Its path, as the specification names it.
        path: String,
        /// SHA-256 of its content; none if it could not be read.
        hash: Option<String>,
    },
    /// The environment.
    Environment {
        /// SHA-256 of all variables with their values.
        hash: String,
    },
    /// What may be another thing each time, or an effect outside: random elements, the time, registers,
    /// pipes, files that are written.
    Changing {
        /// The operator that asked for it, or the file.
        name: String,
    },
}

impl Reading {
    /// Whether the same would be read now.
    pub fn is_still_so(&self) -> bool {
        match self {
            Self::File { path, .. } => {
                let path = Path::new(path);
                can_be_read_again(path) && *self == Self::of_file(path, fs::read(path).ok().as_deref())
            }
            Self::Environment { .. } => *self == Self::of_environment(&variables()),
            Self::Changing { .. } => false,
        }
    }

    fn of_file(path: &Path, content: Option<&[u8]>) -> Self {
        let path = path.to_string_lossy().into_owned();
        Self::File { path, hash: content.map(|content| hexadecimal(Sha256::new_with_prefix(content))) }
    }

    fn of_environment(variables: &[(String, String)]) -> Self {
        let mut hash = Sha256::new();
        for text in variables.iter().flat_map(|(name, value)| [name, value]) {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        Self::Environment { hash: hexadecimal(hash) }
    }
}

/// Gives natives what is outside, and notes what it gave.
#[derive(Debug, Default)]
pub struct World {
    readings: Mutex<BTreeSet<Reading>>,
}

impl World {
    /// The content of a file.
    ///
    /// # Errors
    /// If it cannot be read, which is noted, too: later it may be there.
    pub fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        if !can_be_read_again(path) {
            self.note(Reading::Changing { name: path.to_string_lossy().into_owned() });
            return fs::read(path);
        }
        let content = fs::read(path);
        self.note(Reading::of_file(path, content.as_deref().ok()));
        content
    }

    /// The content of a file, if there is one.
    ///
    /// # Errors
    /// If there is one that cannot be read.
    pub fn read_file_if_there(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match self.read_file(path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The environment's variables that are Unicode, with their values.
    pub fn environment(&self) -> Vec<(String, String)> {
        let variables = variables();
        self.note(Reading::of_environment(&variables));
        variables
    }

    /// How long it is since 1970 began, in milliseconds.
    pub fn milliseconds(&self) -> u128 {
        self.note_changing("the time");
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
    }

    /// Writes a file whose directories are made if need be. That is noted, too: who does not evaluate has no file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_file(&self, path: &Path, content: &str) -> io::Result<()> {
        self.note_changing(&path.to_string_lossy());
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, content)
    }

    /// Appends to a file, which is made with its directories if need be. That is noted, too.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append_file(&self, path: &Path, content: &str) -> io::Result<()> {
        self.note_changing(&path.to_string_lossy());
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(content.as_bytes())
    }

    /// Notes that an operator was used whose value may be another one each time, or that does something outside.
    pub fn note_changing(&self, operator: &str) {
        self.note(Reading::Changing { name: operator.to_owned() });
    }

    /// All that was noted so far. A file that was read twice and changed in between is there twice: then there is no content
    /// with which both notes are true.
    pub fn readings(&self) -> Vec<Reading> {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn note(&self, reading: Reading) {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner).insert(reading);
    }
}

/// Whether reading a file takes nothing away and comes to an end: not so for pipes and devices. What is not there may be there
/// later.
fn can_be_read_again(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |file| file.is_file() || file.is_dir())
}

/// What is not Unicode is left out: no string of TLA+ is equal to it.
fn variables() -> Vec<(String, String)> {
    let unicode =
        |(name, value): (std::ffi::OsString, std::ffi::OsString)| name.into_string().ok().zip(value.into_string().ok());
    let mut variables: Vec<_> = std::env::vars_os().filter_map(unicode).collect();
    variables.sort();
    variables
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_as_long_as_its_content_is() {
        let directory = tempfile::tempdir().expect("a directory for temporary files");
        let path = directory.path().join("data.json");
        let world = World::default();
        assert!(world.read_file(&path).is_err());
        let [missing] = <[_; 1]>::try_from(world.readings()).expect("one reading");
        assert!(missing.is_still_so());
        fs::write(&path, "1").expect("a file");
        assert!(!missing.is_still_so());
        assert_eq!(world.read_file(&path).expect("its content"), b"1");
        let readings = world.readings();
        assert_eq!(readings.iter().filter(|reading| reading.is_still_so()).count(), 1, "{readings:?}");
        fs::write(&path, "2").expect("a file");
        assert!(!readings.iter().any(Reading::is_still_so), "{readings:?}");
    }

    #[test]
    fn what_can_be_read_only_once_is_never_the_same() {
        let world = World::default();
        world.read_file(Path::new("/dev/null")).expect("nothing");
        world.milliseconds();
        let readings = world.readings();
        assert_eq!(readings.len(), 2);
        assert!(!readings.iter().any(Reading::is_still_so), "{readings:?}");
    }
}
