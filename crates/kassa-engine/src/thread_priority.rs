//! Threads that give way: on a busy processor each gets about a tenth of what a lane, or a thread that answers short
//! requests, gets. So what takes long goes on, and nobody waits for it.

/// How much nicer the threads are.
#[cfg(target_os = "linux")]
pub(crate) const NICENESS: i32 = 10;

/// Lowers the priority of this thread, for good. `work` says in the log what competes with sales if that fails.
#[cfg(target_os = "linux")]
pub fn lower(work: &str) {
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of {work} could not be lowered: it competes with sales for the processor");
    }
}

/// Elsewhere a thread has no niceness of its own.
#[cfg(not(target_os = "linux"))]
pub fn lower(work: &str) {
    let _ = work;
}
