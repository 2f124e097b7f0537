//! From specifications to models, whatever the language, and from models to projects on disk.

mod errors;
mod projects;
mod reading;
#[path = "../specs/mod.rs"]
mod specs;
