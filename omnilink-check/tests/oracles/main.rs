//! The checker against oracles that decide the same question in other ways.
//!
//! | file | what it is |
//! | --- | --- |
//! | `family`, `datum` | the specifications in `tests/specs` and what is recorded against them |
//! | `generate`, `disturb`, `plan` | random histories, and the traces made of them |
//! | `verdict` | the checker's answer, its orders checked step by step |
//! | `brute`, `brute_force` | every order of every reading |
//! | `automata` | random specifications, and brute force that knows their tables alone |
//! | `reduction` | the checker itself, without reduction |
//! | `batch`, `tlc_verdicts` | TLC, on modules of many histories |
//! | `tlc_engine` | both engines, history by history |
//! | `objects`, `porcupine` | Porcupine, with models of its own |
//!
//! What runs by default is a small part. `scripts/check-oracles.sh` runs all of it.

mod automata;
mod batch;
mod brute;
mod brute_force;
mod datum;
mod disturb;
mod family;
mod generate;
mod objects;
mod plan;
mod porcupine;
#[path = "../../../omnilink-tla/tests/support/random.rs"]
mod random;
mod reduction;
#[allow(dead_code, reason = "omnilink-tla asks TLC for more than verdicts")]
#[path = "../../../omnilink-tla/tests/support/tlc.rs"]
mod tlc;
mod tlc_engine;
mod tlc_verdicts;
mod verdict;
