//! Checking.

pub mod check;
pub mod conditions;
pub mod constants;
pub mod error;
pub mod history;
mod order;
pub mod prepare;
pub mod rules;
pub mod search;
pub mod subject;
pub mod value;
mod vocabulary;
mod witness;
