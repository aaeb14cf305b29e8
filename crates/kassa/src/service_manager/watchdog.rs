//! The watchdog of the service manager: it hears of the server as long as its lanes make progress.

use std::env;
use std::process;
use std::time::Duration;

use kassa_engine::Engine;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::Notifier;

/// Lanes are looked at so often in the time after which the manager gives up.
const LOOKS: u32 = 4;

/// How long the service manager waits for a sign of life.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watchdog(Option<Duration>);

impl Watchdog {
    /// As the environment says, if it means this process.
    pub(crate) fn from_environment() -> Self {
        let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let is_ours = number("WATCHDOG_PID").is_none_or(|pid| pid == u64::from(process::id()));
        let patience = number("WATCHDOG_USEC").filter(|micros| *micros > 0).map(Duration::from_micros);
        Self(patience.filter(|_| is_ours))
    }

    /// Gives signs of life for good, in time, unless a lane has been stuck in a batch for half of that: then it is for the
    /// manager to end the process. A lane that waits for its database is not stuck: others are told so, and a new process
    /// would wait as well.
    pub(crate) async fn run(self, notifier: &Notifier, engine: &Engine) {
        let Some(patience) = self.0 else { return std::future::pending().await };
        let mut looks = interval_at(Instant::now(), patience / LOOKS);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut seen = engine.lanes_at_work();
        let (mut stuck_for, mut is_told) = (0, false);
        loop {
            looks.tick().await;
            let now = engine.lanes_at_work();
            stuck_for = if now.is_stuck_since(&seen) { stuck_for + 1 } else { 0 };
            seen = now;
            if stuck_for < LOOKS / 2 {
                notifier.alive();
                is_told = false;
            } else if !is_told {
                tracing::error!("a lane makes no progress: the watchdog is not told that the server is alive");
                is_told = true;
            }
        }
    }
}
