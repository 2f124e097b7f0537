//! `#[omnilink::action]`, `#[derive(ToTla)]` and `#[derive(FromTla)]`.
//!
//! The first two expand to calls of the runtime that a person could have written. Users get them
//! through the crate `omnilink`, where [`macro@action`] and [`macro@ToTla`] are documented; this page shows the
//! expansions.
//!
//! ```text
//!  #[omnilink::action(…)] ──grammar──► Attribute ──┐
//!                                                  ├──plan──► what is recorded when ──expand──► fn … { … }
//!  fn … { … } ────────────function──► Function ────┘   ▲
//!                                                    usage: does an expression mention `ret`? declared: what is a result?
//!  #[derive(ToTla)] struct … ──derive──► impl ToTla
//!  #[derive(FromTla)] struct … ─derive──► impl FromTla
//! ```
//!
//! # What a function becomes
//!
//! ```
//! # struct Queue(std::sync::Mutex<std::collections::VecDeque<u64>>);
//! # impl Queue {
//! #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty(limit) })]
//! fn try_pop(&self, limit: u64) -> Option<u64> {
//!     let mut items = self.0.lock().unwrap();
//!     if *items.front()? >= limit {
//!         return None;
//!     }
//!     items.pop_front()
//! }
//! # }
//! ```
//!
//! becomes
//!
//! ```
//! # struct Queue(std::sync::Mutex<std::collections::VecDeque<u64>>);
//! # impl Queue {
//! fn try_pop(&self, limit: u64) -> Option<u64> {
//!     let mut op = ::omnilink::__private::enter({
//!         static SITE: ::omnilink::__private::Site = ::omnilink::__private::Site::new(
//!             &[
//!                 ::omnilink::__private::ActionDef { name: "Dequeue", params: &["elem"] },
//!                 ::omnilink::__private::ActionDef { name: "DequeueEmpty", params: &["limit"] }
//!             ],
//!             &["elem", "limit"]
//!         )
//!         .results(&[&["elem"], &[]]);
//!         &SITE
//!     });
//!     if op.is_recording() {
//!         op.arg(1, &limit);
//!     }
//!     op.start();
//!     let result = op.call(move || -> Option<u64> {
//!         let mut items = self.0.lock().unwrap();
//!         if *items.front()? >= limit {
//!             return None;
//!         }
//!         items.pop_front()
//!     });
//!     if op.is_recording() {
//!         let ret = &result;
//!         match ret {
//!             Some(v) => {
//!                 op.choose(0);
//!                 op.arg(0, &v);
//!             }
//!             None => {
//!                 op.choose(1);
//!             }
//!         }
//!         op.end();
//!     }
//!     result
//! }
//! # }
//! ```
//!
//! `results` and the several actions of one `Site` are declarations for `run.json`: the value of `elem` is a result, and both actions are
//! outcomes of the same call.
//!
//! This order makes the timebox as narrow as possible: the inputs are recorded before `start`
//! reads the clock, and `call` reads it again as soon as the body ends, by a return or a panic. `limit` is an input: it is
//! in the trace even if the program dies during the call.
//!
//! The timebox of an async function is from the first poll to completion:
//!
//! ```
//! # struct Full;
//! # struct Store(std::sync::Mutex<std::collections::HashMap<String, u64>>);
//! # impl Store {
//! #[omnilink::action(Put(key, value), abort_if = ret.is_err(), meta(size = ret.as_ref().ok()))]
//! async fn put(&self, key: String, value: u64) -> Result<usize, Full> {
//!     let mut map = self.0.lock().unwrap();
//!     if map.len() >= 1000 {
//!         return Err(Full);
//!     }
//!     map.insert(key, value);
//!     Ok(map.len())
//! }
//! # }
//! ```
//!
//! becomes
//!
//! ```
//! # struct Full;
//! # struct Store(std::sync::Mutex<std::collections::HashMap<String, u64>>);
//! # impl Store {
//! async fn put(&self, key: String, value: u64) -> Result<usize, Full> {
//!     let mut op = ::omnilink::__private::enter_async({
//!         static SITE: ::omnilink::__private::Site = ::omnilink::__private::Site::new(
//!             &[::omnilink::__private::ActionDef { name: "Put", params: &["key", "value"] }],
//!             &["key", "value"]
//!         )
//!         .results(&[&[]]);
//!         &SITE
//!     });
//!     if op.is_recording() {
//!         op.arg(0, &key);
//!         op.arg(1, &value);
//!     }
//!     op.start();
//!     let result = op.call(async move {
//!         if false {
//!             return ::omnilink::__private::unreachable::<Result<usize, Full>>();
//!         }
//!         let _ = &key;
//!         let mut map = self.0.lock().unwrap();
//!         if map.len() >= 1000 {
//!             return Err(Full);
//!         }
//!         map.insert(key, value);
//!         Ok(map.len())
//!     }).await;
//!     if op.is_recording() {
//!         let ret = &result;
//!         op.meta("size", &ret.as_ref().ok());
//!         if ret.is_err() {
//!             op.abort(::core::stringify!(ret.is_err()));
//!         }
//!         op.end();
//!     }
//!     result
//! }
//! # }
//! ```
//!
//! The statement that never runs fixes the type of the block, which has no type annotation. `let _ =
//! &key` makes the block take over the whole `key`, so that it is dropped inside the timebox: to drop a guard, say, is
//! an effect of the call. Parameters that certainly have no destructor do not need that.
//!
//! # Invariants
//!
//! - What is recorded is computed only while the call is being recorded.
//! - Signature, attributes and documentation of the function stay; the body stays one piece, so `return` and `?` leave
//!   it as before, and the compiler's messages and lints point at the user's own tokens.
//! - The generated variables are hygienic: a body with its own `op`, `ret` or `SITE` works.

mod declared;
mod derive;
mod errors;
mod expand;
mod function;
mod grammar;
mod plan;
mod usage;
mod vocabulary;

use proc_macro::TokenStream;

/// Records calls of a function or method as actions of the specification.
///
/// ```
/// # struct Queue;
/// # impl Queue {
/// #[omnilink::action(Enqueue(elem = value))]
/// fn push(&self, value: u64) { /* … */ }
/// # }
/// ```
///
/// Each call becomes an event `Enqueue(elem |-> value)` with the timebox in which the body ran. The function does what
/// it did before; while nothing is being recorded, a call costs one load more.
///
/// # Which action, which arguments
///
/// | attribute | recorded |
/// | --- | --- |
/// | `#[omnilink::action]` | the function's name, its parameters (without `self`) under their own names |
/// | `#[omnilink::action(Put(key, value))]` | `Put`; parameters `key` and `value` are the variables of that name |
/// | `#[omnilink::action(Put(k = key.id()))]` | the parameter `k` is the value of the expression |
/// | `#[omnilink::action(Dequeue(elem = ret))]` | `ret` is the result of the call, by reference |
/// | `#[omnilink::action(Clear)]` | an action without parameters |
///
/// Arguments go by name: the names are those of the specification's parameters. Values must implement
/// [`ToTla`](macro@ToTla). A name that is a keyword is written `type = kind` or `r#type`.
///
/// The result can determine the action. Patterns match a reference to the result, so nothing is moved:
///
/// ```
/// # struct Queue(std::sync::Mutex<Vec<u64>>);
/// # impl Queue {
/// #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
/// fn try_pop(&self) -> Option<u64> {
///     self.0.lock().unwrap().pop()
/// }
/// # }
/// ```
///
/// Arms can have guards and alternatives (`Ok(n) | Err(n) if *n > 0 => …`). Anything can be matched on, also a
/// parameter (`match &command { … }`); if `ret` occurs nowhere in the `match`, the action is known before the call.
///
/// # Options, after the action
///
/// - `abort_if = ret.is_err()`: the call had no effect if this is true. `abort_reason = …`, a string, says why.
/// - `discard_if = …`: leave no event if this is true, say because the operation is not supported here.
/// - `meta(attempt = self.attempts(), "queue.len" = ret.len())`: metadata of the event, which the specification ignores.
/// - `results(value, found)`: these parameters are results of the call, all others are its arguments. `operation = Lookup`: all actions of
///   this function are outcomes of the operation `Lookup`. Both are needed only where they do not follow from the attribute:
///   an argument is a result if it mentions `ret` or a variable of a `match` on `ret`, if it differs between the arms of such a `match`, or if it has
///   `after`; the arms of a `match` on `ret` are outcomes of one operation. If `ret` *and* parameters of the function decide between the arms, nothing
///   is declared unless these options do.
///
/// ```
/// # use omnilink::ToTla;
/// # struct Full;
/// # struct Store;
/// # impl Store {
/// #[omnilink::action(Put(key, value), abort_if = ret.is_err())]
/// fn put<K: ToTla, V: ToTla>(&self, key: K, value: V) -> Result<(), Full> {
///     // …
/// #   Ok(())
/// }
/// # }
/// ```
///
/// # When expressions are evaluated
///
/// Arguments and meta that do not mention `ret` are evaluated **before** the call: they are in the trace even if the
/// program dies during it, and the body may consume the parameters. What mentions `ret`, or a variable of a `match` on
/// it, is evaluated **after** the call; so are all conditions. In such a `match`, an argument is evaluated before the
/// call if all arms that have it give the same expression.
///
/// `after` before an argument asks for evaluation after the call, for parameters that the function writes to:
///
/// ```
/// # use std::io;
/// # struct File;
/// # impl File {
/// #[omnilink::action(Read(after data = &buffer[..ret.as_ref().map_or(0, |&n| n)]), abort_if = ret.is_err())]
/// fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
///     // …
/// #   Ok(buffer.len())
/// }
///
/// #[omnilink::action(Drain(after items))]
/// fn drain(&self, items: &mut Vec<u8>) {
///     // …
/// }
/// # }
/// ```
///
/// Nothing of this is evaluated when the call is not being recorded.
///
/// # Which functions
///
/// All but `const fn`: methods with any `self`, trait methods with a body, generic, `unsafe`, `extern`, recursive
/// ones, with early returns, `?` and `impl Trait`. A panic is recorded as indeterminate and goes on. For an `async fn`
/// the box spans first poll to completion, and calls that are open at the same time are recorded on lanes of their
/// own; one that is dropped before completion is indeterminate. A function that merely *returns* a future is over when
/// it returns it; so is what `#[async_trait]` makes of an async method.
///
/// Of recorded calls inside each other only the outermost is recorded, unless the session asks for both.
///
/// # Limits
///
/// - Parameters are dropped inside the timebox, except those that are bound to `_`, and except if an expression that is
///   evaluated after the call mentions `self` or a parameter: then all parameters that the body does not consume are
///   dropped after it.
/// - The body moves into a closure, where `#[track_caller]` has no effect: a panic's location is in the body.
/// - At most 64 parameters, all actions of one function together.
#[proc_macro_attribute]
pub fn action(attribute: TokenStream, item: TokenStream) -> TokenStream {
    instrumented(attribute.into(), item.clone().into())
        .unwrap_or_else(|error| {
            // The original function is emitted, so that its callers do not get errors, too.
            let error = error.into_compile_error();
            let item = proc_macro2::TokenStream::from(item);
            quote::quote!(#item #error)
        })
        .into()
}

fn instrumented(
    attribute: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> syn::Result<proc_macro2::TokenStream> {
    let function = syn::parse2(item)?;
    expand::action(syn::parse2(attribute)?, function)
}

/// Makes values of a type recordable. The shape of the type determines the TLA+ value:
///
/// | Rust | TLA+ |
/// | --- | --- |
/// | `struct Account { owner: String, sum: u32 }` | `[owner \|-> "ann", sum \|-> 3]` |
/// | `struct Pair(u8, u8)` | `<<1, 2>>` |
/// | `struct Key(u64)`, a newtype | what it holds: `7` |
/// | `struct Marker;` | its name: `"Marker"` |
/// | `enum Mode { Read, Write }`, no variant with fields | the name: `"Read"` |
/// | enum with fields: `Empty` | `[tag \|-> "Empty"]` |
/// | … `One(x)` | `[tag \|-> "One", value \|-> x]` |
/// | … `Two(x, y)` | `[tag \|-> "Two", value \|-> <<x, y>>]` |
/// | … `Named { x, y }` | `[tag \|-> "Named", x \|-> …, y \|-> …]` |
///
/// If any variant of an enum has fields, all are records with a tag, so that a specification can compare them.
///
/// Type parameters get the bound `ToTla`.
///
/// # Attributes
///
/// - `#[tla(rename = "…")]` on fields, variants and unit structs: another name in the trace.
/// - `#[tla(rename_all = "…")]` on structs (for the fields) and enums (for the variants): `"lowercase"`, `"UPPERCASE"`,
///   `"PascalCase"`, `"camelCase"`, `"snake_case"`, `"SCREAMING_SNAKE_CASE"`.
/// - `#[tla(skip)]` on fields: not recorded. A tuple becomes shorter by it; a tuple of two with one skipped is `<<x>>`.
/// - `#[tla(tag = "…")]` on enums with fields: another name for `tag`.
///
/// ```
/// use omnilink::ToTla;
///
/// #[derive(ToTla)]
/// #[tla(tag = "type")]
/// enum Message {
///     #[tla(rename = "hb")]
///     Heartbeat,
///     Append {
///         term: u64,
///         #[tla(rename = "from")]
///         leader: u32,
///         #[tla(skip)]
///         bytes: Vec<u8>,
///     },
/// }
/// # fn is_recordable<T: ToTla>() {}
/// # is_recordable::<Message>();
/// ```
#[proc_macro_derive(ToTla, attributes(tla))]
pub fn to_tla(input: TokenStream) -> TokenStream {
    syn::parse(input).and_then(derive::to_tla).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Reads values of a type from traces, and the inputs and outputs of a model from recorded calls. The forms of values are those
/// of [`ToTla`](macro@ToTla).
///
/// ```text
/// #[derive(FromTla, PartialEq)]
/// enum Input {
///     Enqueue { elem: i64 },                   // Enqueue(elem): its argument
///     #[tla(alias = "DequeueEmpty")]
///     Dequeue,                                 // Dequeue(elem) and DequeueEmpty: `elem` is left for the output
/// }
///
/// type Output = Option<i64>;                   // what is left, if something is
/// ```
///
/// # Attributes
///
/// Those of `ToTla`, where a field with `#[tla(skip)]` gets its default value, and
///
/// - `#[tla(alias = "…")]` on variants, as often as needed: a further name that is read as this variant.
/// - `#[tla(other)]` on one variant without fields: all other names are read as this variant.
///
/// Type parameters get the bound `FromTla`. Users get this macro with the trait, from `omnilink-check` (feature `derive`).
#[proc_macro_derive(FromTla, attributes(tla))]
pub fn from_tla(input: TokenStream) -> TokenStream {
    read_from_tla(input, &quote::quote!(::omnilink_check::model::__private))
}

/// `#[derive(FromTla)]` as `omnilink-test` has it, for packages that do not depend on `omnilink-check`.
#[proc_macro_derive(FromTlaInTests, attributes(tla))]
pub fn from_tla_in_tests(input: TokenStream) -> TokenStream {
    read_from_tla(input, &quote::quote!(::omnilink_test::__private))
}

fn read_from_tla(input: TokenStream, root: &proc_macro2::TokenStream) -> TokenStream {
    let derived = syn::parse(input).and_then(|input| derive::from_tla(input, root));
    derived.unwrap_or_else(syn::Error::into_compile_error).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of the documentation at the top of this file: each example and what it becomes.
    fn documented_expansions() -> Vec<[String; 2]> {
        let lines = include_str!("lib.rs").lines().map_while(|line| line.strip_prefix("//!"));
        let visible = lines.filter(|line| !line.starts_with(" # "));
        let page: String = visible.flat_map(|line| [line, "\n"]).collect();
        let parts: Vec<_> = page.split("```").collect();
        let becomes = parts.windows(3).filter(|window| window[1].trim() == "becomes");
        becomes.map(|window| [window[0].to_owned(), window[2].to_owned()]).collect()
    }

    #[test]
    fn the_documentation_shows_exactly_what_is_generated() {
        let examples = documented_expansions();
        assert_eq!(examples.len(), 2);
        for [source, expansion] in examples {
            let mut function: function::Function = syn::parse_str(&source).expect("a function");
            let attribute = match function.attrs.remove(0).meta {
                syn::Meta::List(list) => list.tokens,
                _ => proc_macro2::TokenStream::new(),
            };
            let expanded = expand::action(syn::parse2(attribute).expect("our grammar"), function).expect("no errors");
            let expanded: syn::ItemFn = syn::parse2(expanded).expect("a function");
            let expected: syn::ItemFn = syn::parse_str(&expansion).expect("a function");
            assert_eq!(quote::quote!(#expanded).to_string(), quote::quote!(#expected).to_string());
        }
    }
}
