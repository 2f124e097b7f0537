//! Consistency other than linearizability: weaker promises about what calls see.
//!
//! A history satisfies a [`Criterion`] if there are a *linearization* lin, a total order of its calls, and a *visibility* vis, a part of
//! lin that says which call sees which, such that the result of every call follows from the calls that it sees, in the order of lin, and
//! the axioms of the criterion hold. Axioms are about lin, vis, the program order po and the order hb of what had ended before what began:
//!
//! | criterion | axioms beyond `lin >= vis` and `lin >= po` |
//! | --- | --- |
//! | `linearizable` | `lin >= hb`, `vis >= lin` |
//! | `sequential` | `vis >= lin` |
//! | `causal` | `vis >= po`, `vis >= vis.vis` |
//! | `weak` | `lin >= hb`, `vis >= hb` |
//! | `read-my-writes` | `vis >= po` |
//! | `monotonic-reads` | `vis >= vis.po` |
//! | `monotonic-writes` | `vis >= po.vis` |
//! | `return-value` | none |
//!
//! Operations may have different criteria: an axiom about a pair of calls applies if it is one of the second call's criterion. A call
//! whose criterion has `vis >= lin` is *strong*: it sees all calls before it. There, strong calls have their recorded results. All other calls that a call
//! sees have their inputs, and any result.
//!
//! | file | |
//! | --- | --- |
//! | `axiom`, `criterion`, `parse` | criteria |
//! | `calls`, `bits` | the calls of a history, and sets of them |
//! | `object` | what the calls are asked about |
//! | `model` | a model in Rust as such an object |
//! | `specification`, `signatures` | traces against a specification; which parameters are results |
//! | `spec_object` | a specification as such an object |
//! | `contexts` | the states after calls that another call sees |
//! | `linearization`, `visibility` | lin and vis as far as they are built |
//! | `search` | the search for them |
//! | `alone` | whether a call at which the search is stuck can be explained at all |
//! | `verdict`, `explain` | what came of it, and why there is none |
//! | `strongest` | the strongest criteria that a history satisfies |

mod alone;
mod axiom;
mod bits;
mod calls;
mod contexts;
mod criterion;
mod explain;
mod linearization;
mod model;
mod object;
mod parse;
mod search;
mod signatures;
mod spec_object;
mod specification;
mod strongest;
mod verdict;
mod visibility;

pub use axiom::{Axiom, Relation};
pub use criterion::{Criteria, Criterion, NAMES};
pub use explain::{Context, Rejection, Stuck};
pub use model::{ConsistencyError, check_model};
pub use parse::ParseError;
pub use search::{Extension, Manner, Pruning};
pub use signatures::Signatures;
pub use specification::{Answer, CheckedTrace, Question, Subject};
pub use strongest::{Decided, Strongest, strongest};
pub use verdict::{Checked, Seeing, Unexplained, Verdict, Witness};
pub use visibility::Visibilities;
