//! The table of a lane's file: which number stands for which action or choice.

use std::collections::HashMap;

use omnilink_trace::encode::{self, Buffer};
use omnilink_trace::layout::{MAX_ENTRIES, MAX_PARAMS};

use crate::args::Shape;
use crate::call::Progress;
use crate::site::{ActionDef, Site};

/// Parameter indexes `0, 1, 2, …`, to take a prefix of.
pub(crate) static IN_ORDER: [u16; MAX_PARAMS] = {
    let mut indexes = [0; MAX_PARAMS];
    let mut i = 0;
    while i < MAX_PARAMS {
        indexes[i] = i as u16;
        i += 1;
    }
    indexes
};

/// What a site is called in this lane's file.
#[derive(Debug)]
pub(crate) struct Entries {
    /// A call at the site before anything is known of it. Its entry is the action, or the choice between the site's
    /// actions.
    pub progress: Progress,
    /// Its arguments before any is given.
    pub shape: Shape,
    /// For a choice: each action's entry, and its parameters as indexes into the site's.
    pub actions: Box<[(u16, Box<[u16]>)]>,
}

/// The table of one lane.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// By site number; the number 0 has no entries.
    sites: Vec<Option<Entries>>,
    actions: HashMap<ActionDef, u16>,
    len: usize,
}

/// A table has no number left for another entry.
#[derive(Debug)]
pub(crate) struct TableFull;

impl Table {
    /// A table that begins with the actions declared in the lane's header.
    pub fn new(declared: &[ActionDef]) -> Self {
        let mut table = Self::default();
        for action in declared {
            table.actions.entry(*action).or_insert(table.len as u16);
            table.len += 1;
        }
        table
    }

    /// The entries of a site, if it was defined in this lane.
    #[inline]
    pub fn get(&self, site: &Site) -> Option<&Entries> {
        self.sites.get(site.known_id() as usize)?.as_ref()
    }

    /// Gives a site its entries and appends the records that define them to `definitions`.
    pub fn define(&mut self, site: &'static Site, definitions: &mut Vec<u8>) -> Result<(), TableFull> {
        let numbers: Vec<u16> =
            site.actions().iter().map(|action| self.define_action(action, definitions)).collect::<Result<_, _>>()?;
        let (entry, actions) = if let [number] = numbers[..] {
            (number, Box::default())
        } else {
            let entry = self.next_number()?;
            append(definitions, |out| encode::write_choice(out, &numbers));
            let params_of = |action: &ActionDef| action.params.iter().filter_map(|param| site.param(param)).collect();
            let actions =
                numbers.iter().zip(site.actions()).map(|(&number, action)| (number, params_of(action))).collect();
            (entry, actions)
        };
        let params = site.params().len();
        let (progress, shape) = (Progress::prepared(entry, params), Shape::empty(params));
        let entries = Entries { progress, shape, actions };
        let id = site.id() as usize;
        if self.sites.len() <= id {
            self.sites.resize_with(id + 1, || None);
        }
        self.sites[id] = Some(entries);
        Ok(())
    }

    /// The entry of one of a site's actions, and its parameters as indexes into the site's. `only` is the entry of the site.
    #[inline]
    pub fn action(&self, site: &Site, index: u16, only: u16) -> (u16, &[u16]) {
        match self.get(site).and_then(|entries| entries.actions.get(usize::from(index))) {
            Some((entry, params)) => (*entry, params),
            None => (only, &IN_ORDER[..site.params().len()]),
        }
    }

    fn define_action(&mut self, action: &ActionDef, definitions: &mut Vec<u8>) -> Result<u16, TableFull> {
        if let Some(&number) = self.actions.get(action) {
            return Ok(number);
        }
        let number = self.next_number()?;
        append(definitions, |out| encode::write_action(out, action.name, action.params));
        self.actions.insert(*action, number);
        Ok(number)
    }

    fn next_number(&mut self) -> Result<u16, TableFull> {
        if self.len == MAX_ENTRIES {
            return Err(TableFull);
        }
        self.len += 1;
        Ok((self.len - 1) as u16)
    }
}

/// Appends what `write` writes, however long it is.
pub(crate) fn append(bytes: &mut Vec<u8>, write: impl Fn(&mut Buffer<'_>)) {
    let mut measure = Buffer::new(&mut []);
    write(&mut measure);
    let (start, len) = (bytes.len(), measure.len());
    bytes.resize(start + len, 0);
    write(&mut Buffer::new(&mut bytes[start..]));
}
