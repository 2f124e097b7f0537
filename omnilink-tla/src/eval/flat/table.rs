//! A table of values by the fingerprint of what they were computed from.

use std::cell::Cell;
use std::rc::Rc;

use super::super::Failure;
use super::super::env::Held;
use crate::value::{Fingerprint, Value};

/// How many bytes all tables may still take.
pub(super) type Room = Rc<Cell<usize>>;

/// A value and its fingerprint.
pub(super) struct Known<'a> {
    pub value: Held<'a>,
    pub fingerprint: Fingerprint,
}

impl Known<'_> {
    /// A value of which nothing was known.
    #[inline]
    pub fn new(value: Value) -> Self {
        Self { fingerprint: value.fingerprint(), value: Held::Own(value) }
    }
}

/// The latest values of one expression: each has the one slot that its key determines.
pub(super) struct Table {
    places: Box<[Place]>,
    worth: Worth,
    room: Room,
    /// Whether it is still worth its while.
    is_used: bool,
    /// How often it was asked, and how often in vain, since it was last judged.
    asked: u32,
    in_vain: u32,
    /// How often it was judged.
    judged: u32,
}

/// When remembering is worth its while.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    /// How many values are remembered at most.
    pub places: usize,
    /// At most one of so many questions may be asked in vain.
    pub least: u32,
}

#[derive(Clone)]
struct Place {
    /// None yet if it is zero.
    key: Fingerprint,
    fingerprint: Fingerprint,
    value: Value,
}

const NOTHING: Place = Place { key: Fingerprint(0), fingerprint: Fingerprint(0), value: Value::FALSE };

/// How many values are remembered at first, and how many times as many if these are too few.
const FEWEST: usize = 1 << 6;
const GROWTH: usize = 4;

/// A table is large enough if one of so many questions is asked in vain.
const ENOUGH: u32 = 16;

/// How often a table is judged before it may be given up: at first everything is new.
const PATIENCE: u32 = 3;

impl Table {
    pub fn new(worth: Worth, room: &Room) -> Self {
        let places = Box::default();
        Self { places, worth, room: Rc::clone(room), is_used: true, asked: 0, in_vain: 0, judged: 0 }
    }

    /// Whether it is still worth its while.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// The value of a key: what it was before, or what evaluating gives.
    #[inline]
    pub fn find<'a>(
        &'a mut self,
        key: Fingerprint,
        evaluate: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<Known<'a>, Failure> {
        let at = self.place(key);
        match self.places.get(at) {
            Some(place) if place.key == key => {
                self.asked += 1;
                let place = &self.places[at];
                Ok(Known { value: Held::Ref(&place.value), fingerprint: place.fingerprint })
            }
            _ => {
                let value = evaluate()?;
                Ok(self.keep(key, value))
            }
        }
    }

    /// The place of a key, if there are any.
    #[inline]
    fn place(&self, key: Fingerprint) -> usize {
        key.0 as usize & self.places.len().wrapping_sub(1)
    }

    #[inline(never)]
    fn keep<'a>(&'a mut self, key: Fingerprint, value: Value) -> Known<'a> {
        self.asked = self.asked.saturating_add(1);
        self.in_vain += 1;
        if self.in_vain as usize > self.places.len() {
            self.judge();
        }
        let at = self.place(key);
        let Some(place) = self.places.get_mut(at) else { return Known::new(value) };
        *place = Place { key, fingerprint: value.fingerprint(), value };
        Known { value: Held::Ref(&place.value), fingerprint: place.fingerprint }
    }

    /// If not nearly everything was found, the table grows as far as it may; if that does not help, it may be given up.
    fn judge(&mut self) {
        let (asked, in_vain) = (self.asked, self.in_vain);
        (self.asked, self.in_vain) = (0, 0);
        self.judged += 1;
        let is_full = asked / ENOUGH < in_vain && !self.grow();
        if is_full && asked / self.worth.least < in_vain && self.judged > PATIENCE {
            (self.places, self.is_used) = (Box::default(), false);
        }
    }

    /// Whether there was room to grow.
    fn grow(&mut self) -> bool {
        let places = (self.places.len() * GROWTH).max(FEWEST);
        let left = self.room.get().checked_sub(places * size_of::<Place>());
        let Some(left) = left.filter(|_| places <= self.worth.places) else { return false };
        self.room.set(left);
        let old = std::mem::replace(&mut self.places, vec![NOTHING; places].into());
        for place in old.into_iter().filter(|place| place.key != NOTHING.key) {
            let at = self.place(place.key);
            self.places[at] = place;
        }
        true
    }
}
