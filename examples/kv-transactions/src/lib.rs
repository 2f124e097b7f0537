//! The system under test: a store of numbered keys with transactions under snapshot isolation, in memory.
//!
//! Every key has versions, each with the number of the commit that wrote it. A transaction reads the newest version
//! that is not newer than its snapshot, and keeps its writes to itself until it commits. Commits take turns; each gets
//! the next number, and becomes visible when `last_commit` says so.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;

/// When a commit looks for conflicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    /// In its turn, as it should.
    InTurn,
    /// Before it waits for its turn, to make that shorter. Who commits between the look and the turn is not seen, and
    /// what they wrote is overwritten.
    BeforeTurn,
}

/// A commit did not happen.
#[derive(Debug)]
pub enum Refused {
    /// Another transaction has committed a write to the same key. This one is over.
    Conflict,
    /// Others are committing all the time. Nothing happened: try again.
    Busy(Transaction),
}

/// A transaction that is going on. It must be given back to its store, by a commit or by a rollback.
#[derive(Debug)]
#[must_use]
pub struct Transaction {
    snapshot: u64,
    written: BTreeMap<usize, i64>,
}

impl Transaction {
    /// Sets a key, for nobody else to see yet.
    pub fn write(&mut self, key: usize, value: i64) {
        self.written.insert(key, value);
    }
}

/// How often a commit tries to get its turn.
const PATIENCE: usize = 10;

/// A value that a key had, from one commit on.
#[derive(Debug, Clone, Copy)]
struct Version {
    commit: u64,
    value: i64,
}

/// The store.
pub struct Store {
    /// Versions of every key, oldest first.
    keys: Vec<Mutex<Vec<Version>>>,
    last_commit: AtomicU64,
    turn: Mutex<()>,
    /// How many transactions there are of every snapshot that is in use: versions that these may read must stay.
    snapshots: Mutex<BTreeMap<u64, usize>>,
    validation: Validation,
    window: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Store {
    /// A store with so many keys that all hold 0.
    pub fn new(keys: usize, validation: Validation) -> Self {
        let first = Version { commit: 0, value: 0 };
        Self {
            keys: (0..keys).map(|_| Mutex::new(vec![first])).collect(),
            last_commit: AtomicU64::new(0),
            turn: Mutex::new(()),
            snapshots: Mutex::new(BTreeMap::new()),
            validation,
            window: None,
        }
    }

    /// The same store, where commits call `window` when they have found no conflict, for those who want something to
    /// happen there.
    #[must_use]
    pub fn with_window(self, window: impl Fn() + Send + Sync + 'static) -> Self {
        Self { window: Some(Box::new(window)), ..self }
    }

    /// Begins a transaction.
    pub fn begin(&self) -> Transaction {
        let mut snapshots = lock(&self.snapshots);
        // Acquire: who sees a commit's number sees what it wrote. Under the lock, so that no version of this snapshot
        // is removed before it is noted.
        let snapshot = self.last_commit.load(Ordering::Acquire);
        *snapshots.entry(snapshot).or_default() += 1;
        Transaction { snapshot, written: BTreeMap::new() }
    }

    /// What a transaction sees under a key.
    pub fn read(&self, transaction: &Transaction, key: usize) -> i64 {
        if let Some(&value) = transaction.written.get(&key) {
            return value;
        }
        let versions = lock(&self.keys[key]);
        let seen = versions.iter().rfind(|version| version.commit <= transaction.snapshot);
        seen.expect("versions of a snapshot in use stay").value
    }

    /// Makes what a transaction wrote visible, all at once.
    ///
    /// # Errors
    /// If it conflicts with another, or if it does not get its turn.
    pub fn commit(&self, transaction: Transaction) -> Result<(), Refused> {
        let outcome = match self.validation {
            Validation::InTurn => {
                let Some(_turn) = self.wait_for_turn() else { return Err(Refused::Busy(transaction)) };
                self.validate(&transaction).map(|()| self.install(&transaction))
            }
            Validation::BeforeTurn => {
                let valid = self.validate(&transaction);
                let Some(_turn) = self.wait_for_turn() else { return Err(Refused::Busy(transaction)) };
                valid.map(|()| self.install(&transaction))
            }
        };
        self.close(&transaction);
        outcome
    }

    /// Ends a transaction, as if it had not been.
    pub fn rollback(&self, transaction: Transaction) {
        self.close(&transaction);
    }

    /// How many transactions are going on.
    pub fn open_transactions(&self) -> usize {
        lock(&self.snapshots).values().sum()
    }

    /// Looks for writes of others to the same keys.
    fn validate(&self, transaction: &Transaction) -> Result<(), Refused> {
        let newest = |key: &usize| lock(&self.keys[*key]).last().expect("a key has a value").commit;
        if transaction.written.keys().any(|key| newest(key) > transaction.snapshot) {
            return Err(Refused::Conflict);
        }
        if let Some(window) = &self.window {
            window();
        }
        Ok(())
    }

    /// Waits a while until nobody else commits; nothing if that did not happen.
    fn wait_for_turn(&self) -> Option<MutexGuard<'_, ()>> {
        (0..PATIENCE).find_map(|_| {
            let turn = self.turn.try_lock().ok();
            if turn.is_none() {
                thread::yield_now();
            }
            turn
        })
    }

    /// Writes new versions, in turn.
    fn install(&self, transaction: &Transaction) {
        // Relaxed: it changes only in turn.
        let last_commit = self.last_commit.load(Ordering::Relaxed);
        let oldest = lock(&self.snapshots).keys().next().map_or(last_commit, |&snapshot| snapshot.min(last_commit));
        for (&key, &value) in &transaction.written {
            let mut versions = lock(&self.keys[key]);
            let unread = versions.iter().rposition(|version| version.commit <= oldest).unwrap_or(0);
            versions.drain(..unread);
            versions.push(Version { commit: last_commit + 1, value });
        }
        // Release: see `begin`.
        self.last_commit.store(last_commit + 1, Ordering::Release);
    }

    /// The transaction reads nothing more.
    fn close(&self, transaction: &Transaction) {
        let mut snapshots = lock(&self.snapshots);
        let users = snapshots.get_mut(&transaction.snapshot).expect("a snapshot in use");
        *users -= 1;
        if *users == 0 {
            snapshots.remove(&transaction.snapshot);
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("last_commit", &self.last_commit).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with a lock of the store")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_sees_its_snapshot_and_its_own_writes() {
        let store = Store::new(2, Validation::InTurn);
        let (mut writer, reader) = (store.begin(), store.begin());
        writer.write(0, 7);
        assert_eq!((store.read(&writer, 0), store.read(&reader, 0)), (7, 0));
        store.commit(writer).unwrap();
        assert_eq!(store.read(&reader, 0), 0);
        store.rollback(reader);
        let later = store.begin();
        assert_eq!((store.read(&later, 0), store.read(&later, 1)), (7, 0));
        store.rollback(later);
        assert_eq!(store.open_transactions(), 0);
    }

    #[test]
    fn the_first_committer_wins_whenever_the_other_looks() {
        for validation in [Validation::InTurn, Validation::BeforeTurn] {
            let store = Store::new(2, validation);
            let (mut first, mut second, mut third) = (store.begin(), store.begin(), store.begin());
            first.write(0, 1);
            second.write(0, 2);
            third.write(1, 3);
            store.commit(first).unwrap();
            assert!(matches!(store.commit(second), Err(Refused::Conflict)));
            store.commit(third).unwrap();
            assert_eq!(store.open_transactions(), 0);
        }
    }

    #[test]
    fn versions_that_nobody_can_read_are_removed() {
        let store = Store::new(1, Validation::InTurn);
        let set = |value| {
            let mut transaction = store.begin();
            transaction.write(0, value);
            store.commit(transaction).unwrap();
        };
        (1..=5).for_each(set);
        let reader = store.begin();
        (6..=9).for_each(set);
        assert_eq!(store.read(&reader, 0), 5);
        store.rollback(reader);
        set(10);
        assert_eq!(
            lock(&store.keys[0]).len(),
            2,
            "the last, and the one before, which snapshots could still be taken of"
        );
    }
}
