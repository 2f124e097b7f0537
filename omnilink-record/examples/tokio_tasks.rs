//! Tasks on tokio's threads: what the tests of this crate run when they need an asynchronous program.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, mpsc};

#[tokio::main(worker_threads = 3)]
async fn main() -> ExitCode {
    let (send, mut receive) = mpsc::channel(2);
    let sum = Arc::new(Mutex::new(0_u64));
    let tasks: Vec<_> = (0..4_u64)
        .map(|number| {
            let (send, sum) = (send.clone(), Arc::clone(&sum));
            tokio::spawn(async move {
                for i in 0..5 {
                    *sum.lock().await += i;
                    tokio::time::sleep(Duration::from_millis(number)).await;
                    let _ = send.send(i).await;
                }
            })
        })
        .collect();
    drop(send);
    let mut received = 0;
    while let Some(value) = receive.recv().await {
        received += value;
    }
    for task in tasks {
        if task.await.is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::from(u8::from((received, *sum.lock().await) != (40, 40)))
}
