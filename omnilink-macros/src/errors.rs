//! Several errors at once, so that one compilation shows all of them.

/// Errors found so far.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error.
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// All errors combined into one, if there are any.
    pub fn check(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
