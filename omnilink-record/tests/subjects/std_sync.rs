//! Correct: everything that the standard library has for waiting: barriers, condition variables, readers and writers,
//! parking, bounded channels, lazy cells, timeouts, sleeping.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Barrier, Condvar, Mutex, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const THREADS: u32 = 4;
const ROUNDS: u32 = 8;

/// Threads take turns in order, by a condition variable.
fn takes_turns() -> bool {
    let (turn, changed) = (Mutex::new(0), Condvar::new());
    thread::scope(|scope| {
        for me in 0..THREADS {
            let (turn, changed) = (&turn, &changed);
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let mut turn = changed.wait_while(turn.lock().unwrap(), |turn| *turn % THREADS != me).unwrap();
                    *turn += 1;
                    changed.notify_all();
                }
            });
        }
    });
    turn.into_inner().unwrap() == THREADS * ROUNDS
}

/// Between two barriers everybody sees what everybody wrote; one of them leads.
fn meets() -> bool {
    let (barrier, arrived, leaders) = (Barrier::new(THREADS as usize), AtomicU32::new(0), AtomicU32::new(0));
    let wrong = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    arrived.fetch_add(1, SeqCst);
                    leaders.fetch_add(u32::from(barrier.wait().is_leader()), SeqCst);
                    wrong.fetch_add(u32::from(arrived.load(SeqCst) != round * THREADS), SeqCst);
                    barrier.wait();
                }
            });
        }
    });
    leaders.load(SeqCst) == ROUNDS && wrong.load(SeqCst) == 0
}

/// Readers never see a writer's work half done; a cell is filled once.
fn reads_whole() -> bool {
    let (pair, cell, made) = (RwLock::new((0, 0)), OnceLock::new(), AtomicU32::new(0));
    let torn = AtomicU32::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (pair, cell, made, torn) = (&pair, &cell, &made, &torn);
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    cell.get_or_init(|| made.fetch_add(1, SeqCst));
                    if thread == 0 {
                        let mut pair = pair.write().unwrap();
                        pair.0 += 1;
                        pair.1 += 1;
                    } else {
                        let pair = pair.read().unwrap();
                        torn.fetch_add(u32::from(pair.0 != pair.1), SeqCst);
                    }
                }
            });
        }
    });
    torn.load(SeqCst) == 0 && made.load(SeqCst) == 1 && pair.into_inner().unwrap() == (ROUNDS, ROUNDS)
}

/// A channel of one place passes everything in order; whoever waits in vain gives up, and not before the time.
fn passes_in_order() -> bool {
    let (send, receive) = mpsc::sync_channel(1);
    let sender = thread::spawn(move || {
        for number in 0..ROUNDS {
            send.send(number).unwrap();
        }
        thread::sleep(Duration::from_secs(10));
        drop(send);
    });
    let in_order = (0..ROUNDS).all(|number| receive.recv() == Ok(number));
    let began = Instant::now();
    let gave_up = match receive.recv_timeout(Duration::from_millis(1)) {
        Err(mpsc::RecvTimeoutError::Timeout) => began.elapsed() >= Duration::from_millis(1),
        Err(mpsc::RecvTimeoutError::Disconnected) => true,
        Ok(_) => false,
    };
    let disconnected = receive.recv() == Err(mpsc::RecvError);
    sender.join().unwrap();
    in_order && gave_up && disconnected
}

/// Two threads wake each other in turns.
fn parks() -> bool {
    let turn = AtomicU32::new(0);
    thread::scope(|scope| {
        let main = thread::current();
        let turn = &turn;
        let other = scope.spawn(move || {
            for round in 0..ROUNDS {
                while turn.load(SeqCst) != 2 * round + 1 {
                    thread::park();
                }
                turn.fetch_add(1, SeqCst);
                main.unpark();
            }
        });
        for round in 0..ROUNDS {
            while turn.load(SeqCst) != 2 * round {
                thread::park_timeout(Duration::from_secs(1000));
            }
            turn.fetch_add(1, SeqCst);
            other.thread().unpark();
        }
    });
    turn.load(SeqCst) == 2 * ROUNDS
}

fn main() -> ExitCode {
    let checks = [("turns", takes_turns()), ("barriers", meets()), ("readers", reads_whole())];
    let more = [("channels", passes_in_order()), ("parking", parks())];
    let wrong: Vec<_> = checks.into_iter().chain(more).filter(|(_, good)| !good).map(|(name, _)| name).collect();
    println!("wrong: {wrong:?}");
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(42) }
}
