//! A fuzzer for concurrent maps: threads call functions of one map on few keys, so that they meet. Every call is
//! recorded as an action of `Map.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod subjects;

use std::process::ExitCode;

use actions::*;
use subjects::{Before, Map};

struct MapFuzzer;

/// The map under test, and how many keys there are.
struct System {
    map: Box<dyn Map>,
    keys: i64,
}

/// A thread's own numbers, counting up. No value is written twice, and no number is of two calls.
struct Numbers {
    next: i64,
}

impl Numbers {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: i64 = 1_000_000_000;

    fn next(&mut self) -> i64 {
        self.next += 1;
        self.next
    }
}

/// A key, which is an input of the call.
fn any_key(cx: &mut Context<'_, MapFuzzer>) -> i64 {
    let key = cx.random.range(0..cx.system.keys);
    cx.set("key", &key);
    key
}

impl Fuzzer for MapFuzzer {
    type System = System;
    type State = Numbers;

    fn system(options: &Options) -> Result<Self::System, String> {
        let name = options.get("map").unwrap_or("skipmap");
        let map = subjects::by_name(name).ok_or(format!("--map: `{name}` is none of {}", subjects::NAMES))?;
        let keys = options.get("keys").unwrap_or("4");
        match keys.parse() {
            Ok(keys) if keys > 0 => Ok(System { map, keys }),
            _ => Err(format!("--keys: `{keys}` is not a number above 0")),
        }
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Numbers { next: start.thread as i64 * Numbers::SHARE }
    }

    /// Functions of the whole map promise less than others: they are called only if `--weights` says so.
    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        fuzz.option("map", "NAME", "the map to call: skipmap, dashmap or scc [default: skipmap]")
            .option("keys", "N", "how many keys there are [default: 4]")
            .weight("Len", 0)
            .weight("Clear", 0)
    }

    const PUT: &'static [Name] = &[Name::Put, Name::Insert, Name::Replace];
    fn put(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        let value = cx.state.next();
        cx.set("value", &value);
        cx.set("new", &value);
        Ok(match cx.call(|system, _| system.map.put(key, value)) {
            Before::Untold => Put { key, value }.into(),
            Before::Absent => Insert { key, value }.into(),
            Before::Had(old) => Replace { key, old, new: value }.into(),
        })
    }

    const INSERT: &'static [Name] = &[Name::Insert, Name::Get];
    fn insert(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        let value = cx.state.next();
        Ok(match cx.call(|system, _| system.map.get_or_insert(key, value)) {
            found if found != value => Get { key, value: found }.into(),
            _ => Insert { key, value }.into(),
        })
    }

    const GET: &'static [Name] = &[Name::Get, Name::Missing];
    fn get(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        Ok(match cx.call(|system, _| system.map.get(key)) {
            Some(value) => Get { key, value }.into(),
            None => Missing { key }.into(),
        })
    }

    const EXISTS: &'static [Name] = &[Name::Exists, Name::Missing];
    fn exists(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        Ok(match cx.call(|system, _| system.map.contains(key)) {
            true => Exists { key }.into(),
            false => Missing { key }.into(),
        })
    }

    const REMOVE: &'static [Name] = &[Name::Remove, Name::Missing];
    fn remove(cx: &mut Context<'_, Self>) -> Attempt {
        let key = any_key(cx);
        Ok(match cx.call(|system, _| system.map.remove(key)) {
            Some(value) => Remove { key, value }.into(),
            None => Missing { key }.into(),
        })
    }

    fn len(cx: &mut Context<'_, Self>) -> Attempt {
        let call = cx.state.next();
        cx.set("call", &call);
        let len = cx.call(|system, _| system.map.len());
        Ok(Len { call, len: i64::try_from(len).unwrap_or(i64::MAX) }.into())
    }

    fn clear(cx: &mut Context<'_, Self>) -> Attempt {
        let call = cx.state.next();
        cx.set("call", &call);
        cx.call(|system, _| system.map.clear());
        Ok(Clear { call }.into())
    }

    /// Recorded by [`Fuzzer::put`].
    fn replace(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    /// Recorded by functions that look for a key.
    fn missing(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<MapFuzzer>()
}
