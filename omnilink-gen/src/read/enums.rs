//! The enumerations that types of parameters refer to, each once.

use crate::model::Enum;

/// The enumerations so far.
#[derive(Debug, Default)]
pub(super) struct Enums {
    pub found: Vec<Enum>,
}

impl Enums {
    /// The index of the enumeration of these strings. It keeps its first name.
    pub fn place(&mut self, name: &str, mut strings: Vec<String>) -> usize {
        strings.sort_unstable();
        match self.found.iter().position(|known| known.strings == strings) {
            Some(place) => place,
            None => {
                self.found.push(Enum { name: name.to_owned(), strings });
                self.found.len() - 1
            }
        }
    }
}
