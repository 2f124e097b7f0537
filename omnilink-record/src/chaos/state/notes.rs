//! What a run has to say about itself.

/// Sentences, each once, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Notes(Vec<String>);

impl Notes {
    /// Adds a note, once.
    pub fn add(&mut self, text: &str) {
        if !self.0.iter().any(|note| note == text) {
            self.0.push(text.to_owned());
        }
    }

    /// Adds notes.
    pub fn extend(&mut self, notes: impl IntoIterator<Item = String>) {
        self.0.extend(notes);
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}
