//! What a thread tries next when the action at hand says so, instead of drawing.

/// Which of the steps comes next, if that is settled.
#[derive(Debug)]
pub(crate) struct Sequel<'a> {
    /// The names of all steps, in order of declaration.
    steps: &'a [&'static str],
    next: Option<usize>,
}

impl<'a> Sequel<'a> {
    pub fn open(steps: &'a [&'static str]) -> Self {
        Self { steps, next: None }
    }

    /// Settles it; false if no step has this name. The last call counts.
    pub fn settle(&mut self, step: &str) -> bool {
        let found = self.steps.iter().position(|name| *name == step);
        self.next = found.or(self.next);
        found.is_some()
    }

    /// The step that comes next, if that is settled.
    pub fn next(&self) -> Option<usize> {
        self.next
    }

    pub fn steps(&self) -> &'a [&'static str] {
        self.steps
    }
}
