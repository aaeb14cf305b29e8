//! When the next heavy command may start. A lane does one thing at a time, and the lanes of a server share its processors
//! and its database: what takes long delays all others.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use crate::tenant::Tenant;

/// While heavy commands delay others, these have this many times as long for themselves as heavy ones of all lanes took.
const PAUSE_FACTOR: u32 = 3;
/// The longest pause for one heavy command. What takes longer was held up by the database, and nobody waits for it either.
const PAUSE_MAX: Duration = Duration::from_secs(3);
/// How long somebody counts as present after a command, and a lane as one with heavy commands after one of these.
const PRESENCE: Duration = Duration::from_secs(10);

/// What the lanes of a server tell each other of heavy commands: while these delay anybody else, one runs at a time, and all
/// together take a quarter of the time. Somebody alone has no pauses.
pub(crate) struct HeavyTurns {
    turns: Mutex<Turns>,
    /// A heavy command has ended.
    ended: Notify,
}

/// Those of one lane.
pub(crate) struct HeavyPace {
    shared: Arc<HeavyTurns>,
    lane: usize,
}

pub(super) struct Turns {
    /// The last heavy command of each lane.
    last_heavy: Vec<Option<HeavyRun>>,
    /// The last light command of each of the two tenants that came last: one of them is somebody else.
    last_light: [Option<(Tenant, Instant)>; 2],
}

struct HeavyRun {
    tenant: Tenant,
    started_at: Instant,
    /// `None` while it is under way.
    took: Option<Duration>,
}

impl HeavyTurns {
    /// Those of so many lanes.
    pub(crate) fn new(lanes: usize) -> Arc<Self> {
        let last_heavy = std::iter::repeat_with(|| None).take(lanes).collect();
        let turns = Turns { last_heavy, last_light: [None, None] };
        Arc::new(Self { turns: Mutex::new(turns), ended: Notify::new() })
    }
}

impl HeavyPace {
    /// That of the lane at this place.
    pub(crate) fn new(shared: &Arc<HeavyTurns>, lane: usize) -> Self {
        Self { shared: Arc::clone(shared), lane }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Turns> {
        self.shared.turns.lock()
    }

    /// Ready when a heavy command of any lane has ended after this call.
    pub(super) fn next_end(&self) -> Notified<'_> {
        self.shared.ended.notified()
    }

    /// Until when heavy commands of this lane wait, at most; `None` if one may start now.
    pub(super) fn paused_until(&self, turns: &Turns, now: Instant) -> Option<Instant> {
        let elsewhere = turns.last_heavy.iter().enumerate().filter(|(lane, _)| *lane != self.lane);
        let under_way = elsewhere.filter_map(|(_, run)| run.as_ref()).find(|run| run.is_under_way(now));
        if let Some(run) = under_way.filter(|run| turns.delays_somebody(run, now)) {
            return Some(run.started_at + PAUSE_MAX);
        }
        let last = turns.last_heavy[self.lane].as_ref()?;
        let took = last.took?;
        let lanes = turns.last_heavy.iter().flatten().filter(|run| run.is_recent(now)).count();
        let lanes = u32::try_from(lanes).unwrap_or(u32::MAX).max(1);
        // All lanes have the same pauses, in which each runs one.
        let factor = lanes.saturating_mul(PAUSE_FACTOR + 1) - 1;
        let until = last.started_at + took + (took * factor).min(PAUSE_MAX * lanes);
        (until > now && turns.delays_somebody(last, now)).then_some(until)
    }

    /// A heavy command of this lane starts.
    pub(super) fn start(&self, turns: &mut Turns, tenant: Tenant, now: Instant) {
        turns.last_heavy[self.lane] = Some(HeavyRun { tenant, started_at: now, took: None });
    }

    /// The one that started last has ended.
    pub(super) fn end(&self, now: Instant) {
        if let Some(run) = &mut self.lock().last_heavy[self.lane] {
            run.took = Some(now.saturating_duration_since(run.started_at));
        }
        self.shared.ended.notify_waiters();
    }
}

impl HeavyRun {
    /// Whether others wait for it.
    fn is_under_way(&self, now: Instant) -> bool {
        self.took.is_none() && now.saturating_duration_since(self.started_at) < PAUSE_MAX
    }

    fn is_recent(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.started_at + self.took.unwrap_or_default()) <= PRESENCE
    }
}

impl Turns {
    /// A light command was taken from a queue.
    pub(super) fn record_light(&mut self, tenant: Tenant, now: Instant) {
        // Expiry and mails are not felt by anybody.
        if tenant == Tenant::System {
            return;
        }
        if self.last_light[0].is_none_or(|(last, _)| last != tenant) {
            self.last_light.swap(0, 1);
        }
        self.last_light[0] = Some((tenant, now));
    }

    /// Whether anybody else is there.
    fn delays_somebody(&self, run: &HeavyRun, now: Instant) -> bool {
        let mut last_light = self.last_light.iter().flatten();
        last_light.any(|(tenant, at)| *tenant != run.tenant && now.saturating_duration_since(*at) <= PRESENCE)
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn partner(key: i64) -> Tenant {
        Tenant::Partner(Id::root(key))
    }

    fn lanes<const N: usize>() -> [HeavyPace; N] {
        let turns = HeavyTurns::new(N);
        std::array::from_fn(|lane| HeavyPace::new(&turns, lane))
    }

    /// A heavy command of the first tenant takes a while.
    fn run(pace: &HeavyPace, started_at: Instant, took: Duration) {
        pace.start(&mut pace.lock(), partner(1), started_at);
        pace.end(started_at + took);
    }

    fn light(pace: &HeavyPace, tenant: Tenant, at: Instant) {
        pace.lock().record_light(tenant, at);
    }

    fn paused_until(pace: &HeavyPace, now: Instant) -> Option<Instant> {
        pace.paused_until(&pace.lock(), now)
    }

    #[tokio::test]
    async fn heavy_commands_take_a_quarter_of_the_time_while_somebody_else_is_there() {
        let (start, [pace]) = (Instant::now(), lanes());
        light(&pace, partner(2), start);
        assert_eq!(paused_until(&pace, start), None, "nothing heavy was there before");
        run(&pace, start, 80 * MS);
        assert_eq!(paused_until(&pace, start + 80 * MS), Some(start + 320 * MS));
        assert_eq!(paused_until(&pace, start + 319 * MS), Some(start + 320 * MS));
        assert_eq!(paused_until(&pace, start + 320 * MS), None);
    }

    #[tokio::test]
    async fn of_all_lanes_one_runs_a_heavy_command_and_all_together_take_a_quarter_of_the_time() {
        let (start, [a, b, c]) = (Instant::now(), lanes());
        // Somebody else is felt in any lane.
        light(&c, partner(2), start);
        a.start(&mut a.lock(), partner(1), start);
        assert_eq!(paused_until(&b, start + 79 * MS), Some(start + PAUSE_MAX), "another lane has the turn");
        a.end(start + 80 * MS);
        assert_eq!(paused_until(&b, start + 80 * MS), None);
        run(&b, start + 80 * MS, 40 * MS);
        // Two lanes share the quarter: an eighth for each.
        assert_eq!(paused_until(&a, start + 120 * MS), Some(start + 80 * 8 * MS));
        assert_eq!(paused_until(&b, start + 120 * MS), Some(start + 80 * MS + 40 * 8 * MS));
        assert_eq!(paused_until(&c, start + 120 * MS), None);
        // One that has had none for long leaves its share to others.
        light(&c, partner(2), start + 12_000 * MS);
        run(&a, start + 12_000 * MS, 80 * MS);
        assert_eq!(paused_until(&a, start + 12_080 * MS), Some(start + 12_320 * MS));
    }

    #[tokio::test]
    async fn lanes_do_not_wait_for_one_that_is_held_up_or_that_nobody_feels() {
        let (start, [a, b]) = (Instant::now(), lanes());
        a.start(&mut a.lock(), partner(1), start);
        assert_eq!(paused_until(&b, start + MS), None, "nobody else is there");
        light(&b, partner(2), start + MS);
        assert_eq!(paused_until(&b, start + MS), Some(start + PAUSE_MAX));
        assert_eq!(paused_until(&b, start + PAUSE_MAX), None);
    }

    #[tokio::test]
    async fn whoever_waits_for_another_lane_is_woken_when_its_command_ends() {
        let (start, [a, b]) = (Instant::now(), lanes());
        let mut end = std::pin::pin!(b.next_end());
        end.as_mut().enable();
        run(&a, start, MS);
        end.await;
    }

    #[tokio::test]
    async fn nobody_pauses_for_himself_for_the_system_or_for_those_who_have_gone() {
        let (start, [pace]) = (Instant::now(), lanes());
        for tenant in [partner(1), Tenant::System] {
            light(&pace, tenant, start);
            run(&pace, start, 80 * MS);
            assert_eq!(paused_until(&pace, start + 80 * MS), None, "{tenant:?}");
        }
        light(&pace, partner(2), start);
        // The latest is one's own, and somebody else was there shortly before.
        light(&pace, partner(1), start + 5_000 * MS);
        run(&pace, start + 9_000 * MS, 900 * MS);
        assert!(paused_until(&pace, start + 10_000 * MS).is_some());
        assert_eq!(paused_until(&pace, start + 10_001 * MS), None);
    }

    #[tokio::test]
    async fn a_heavy_command_that_a_database_held_up_makes_no_long_pause() {
        let (start, [pace]) = (Instant::now(), lanes());
        light(&pace, partner(2), start + 60_000 * MS);
        run(&pace, start, 60_000 * MS);
        assert_eq!(paused_until(&pace, start + 60_000 * MS), Some(start + 63_000 * MS));
    }
}
