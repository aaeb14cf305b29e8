//! The thread on which a backup is made: it gives way to those that sell.

use std::thread;

use kassa_engine::thread_priority;
use tokio::sync::oneshot;

use super::BackupError;

/// Does some work on a thread of its own. The program ends without waiting for it: what it leaves then, the next backup
/// removes.
pub(crate) async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, BackupError> {
    let (sender, receiver) = oneshot::channel();
    let run = move || {
        thread_priority::lower("backups");
        // Nobody may be waiting for it any more.
        let _ = sender.send(work());
    };
    let failed = |error: &dyn std::error::Error| BackupError::at("the thread of backups", &error.to_string());
    thread::Builder::new().name("backup".to_owned()).spawn(run).map_err(|error| failed(&error))?;
    receiver.await.map_err(|error| failed(&error))
}
