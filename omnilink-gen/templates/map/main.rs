//! A fuzzer for `Map`: threads insert, look up and remove at random, and every call is recorded as an action of `Map.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod map;

use std::process::ExitCode;

use actions::*;
use map::Map;

struct MapFuzzer;

/// A key, as `Keys` in `Map.cfg` says. Few keys: threads are to meet.
fn any_key(cx: &mut Context<'_, MapFuzzer>) -> i64 {
    let key = cx.random.range(1..=3);
    cx.set("key", &key);
    key
}

impl Fuzzer for MapFuzzer {
    /// Shared by all threads.
    type System = Map;
    /// Threads keep nothing to themselves.
    type State = ();

    fn system(options: &Options) -> Result<Self::System, String> {
        Ok(Map::new(options.is_set("buggy")))
    }

    fn state(_start: Start<'_, Self::System>) -> Self::State {}

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        // Of all parameters, these are the ones that the calls return.
        fuzz.flag("buggy", "the map with a bug").results(&[("Get", "value"), ("Remove", "value")])
    }

    /// The result decides which action it was.
    const INSERT: &'static [Name] = &[Name::Insert, Name::InsertPresent];
    fn insert(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        // As `Values` in `Map.cfg` says.
        let value = cx.random.range(1..=9);
        cx.set("value", &value);
        let is_new = cx.call(|map, _| map.insert(key, value));
        Ok(if is_new { Insert { key, value }.into() } else { InsertPresent { key, value }.into() })
    }

    const GET: &'static [Name] = &[Name::Get, Name::GetMissing];
    fn get(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        match cx.call(|map, _| map.get(key)) {
            Some(value) => Ok(Get { key, value }.into()),
            None => Ok(GetMissing { key }.into()),
        }
    }

    const REMOVE: &'static [Name] = &[Name::Remove, Name::RemoveMissing];
    fn remove(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        match cx.call(|map, _| map.remove(key)) {
            Some(value) => Ok(Remove { key, value }.into()),
            None => Ok(RemoveMissing { key }.into()),
        }
    }

    /// Recorded by `insert`.
    fn insert_present(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    /// Recorded by `get`.
    fn get_missing(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    /// Recorded by `remove`.
    fn remove_missing(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<MapFuzzer>()
}
