//! When the next heavy command may start. A lane does one thing at a time, and the lanes of a server share its processors
//! and its database: what takes long delays all others.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use crate::tenant::Tenant;

/// After a heavy command, others come for so many times as long as it took.
const PAUSE_FACTOR: u32 = 3;
/// The longest pause, and how long lanes wait for one that is at a heavy command. What takes longer was held up by the
/// database.
const PAUSE_MAX: Duration = Duration::from_secs(3);
/// How long a lane that has waited longer than another keeps its turn while it is at light commands.
const TURN_KEPT: Duration = Duration::from_millis(100);
/// How long somebody counts as present after a command.
const PRESENCE: Duration = Duration::from_secs(10);

/// What the lanes of a server tell each other of heavy commands: while these delay anybody else, one runs at a time, and all
/// together take a quarter of the time. The lane that has waited longest comes first. Somebody alone has no pauses.
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

struct Turns {
    lanes: Vec<LaneTurn>,
    /// The last light command of each of the two tenants that came last: one of them is somebody else.
    last_light: [Option<(Tenant, Instant)>; 2],
}

#[derive(Default)]
struct LaneTurn {
    /// Whose heavy command is under way, and since when.
    under_way: Option<(Tenant, Instant)>,
    /// Since when one has had to wait.
    waiting_since: Option<Instant>,
    /// Whose command ended last, and until when others have the time for themselves.
    pause: Option<(Tenant, Instant)>,
}

impl HeavyTurns {
    /// Those of so many lanes.
    pub(crate) fn new(lanes: usize) -> Arc<Self> {
        let lanes = std::iter::repeat_with(LaneTurn::default).take(lanes).collect();
        let turns = Turns { lanes, last_light: [None, None] };
        Arc::new(Self { turns: Mutex::new(turns), ended: Notify::new() })
    }
}

impl HeavyPace {
    /// That of the lane at this place.
    pub(crate) fn new(shared: &Arc<HeavyTurns>, lane: usize) -> Self {
        Self { shared: Arc::clone(shared), lane }
    }

    /// Ready when a heavy command of any lane has ended after this call.
    pub(super) fn next_end(&self) -> Notified<'_> {
        self.shared.ended.notified()
    }

    /// Takes the heavy command that comes next, if there is one and it may start now. Errors: until when it waits, at most.
    pub(super) fn start<T>(
        &self,
        now: Instant,
        makes_pauses: bool,
        take: impl FnOnce() -> Option<(Tenant, T)>,
    ) -> Result<Option<T>, Instant> {
        let mut turns = self.shared.turns.lock();
        if let Some(until) = turns.paused_until(self.lane, now).filter(|_| makes_pauses) {
            return Err(until);
        }
        let taken = take();
        let turn = &mut turns.lanes[self.lane];
        turn.under_way = taken.as_ref().map(|(tenant, _)| (*tenant, now));
        turn.waiting_since = None;
        Ok(taken.map(|(_, command)| command))
    }

    /// The one that started last has ended.
    pub(super) fn end(&self, now: Instant) {
        self.shared.turns.lock().end(self.lane, now);
        self.shared.ended.notify_waiters();
    }

    /// None waits any more.
    pub(super) fn leave(&self) {
        self.shared.turns.lock().lanes[self.lane].waiting_since = None;
    }

    /// Light commands of these were taken from the queue.
    pub(super) fn record_light(&self, tenants: impl Iterator<Item = Tenant>, now: Instant) {
        let mut turns = self.shared.turns.lock();
        tenants.for_each(|tenant| turns.record_light(tenant, now));
    }
}

impl Turns {
    /// Until when heavy commands of this lane wait, at most; `None` if one may start now. From now on it has waited.
    fn paused_until(&mut self, lane: usize, now: Instant) -> Option<Instant> {
        let since = *self.lanes[lane].waiting_since.get_or_insert(now);
        let others = || self.lanes.iter().enumerate().filter(|(at, _)| *at != lane).map(|(_, turn)| turn);
        let mut under_way = others().filter_map(|turn| turn.under_way);
        let waits_for =
            under_way.find(|(tenant, start)| *start + PAUSE_MAX > now && self.delays_somebody(*tenant, now));
        if let Some((_, start)) = waits_for {
            return Some(start + PAUSE_MAX);
        }
        // What delays nobody else makes no pause for those that do.
        let pauses = self.lanes.iter().filter_map(|turn| turn.pause);
        let until = pauses.filter(|(tenant, _)| self.delays_somebody(*tenant, now)).map(|(_, until)| until).max()?;
        if until > now {
            return Some(until);
        }
        let waited_longer = others().filter_map(|turn| turn.waiting_since).filter(|other| *other < since).count();
        let turns_end = until + TURN_KEPT * u32::try_from(waited_longer).unwrap_or(u32::MAX);
        (turns_end > now).then_some(turns_end)
    }

    fn end(&mut self, lane: usize, now: Instant) {
        let Some((tenant, start)) = self.lanes[lane].under_way.take() else { return };
        let pause = (now.saturating_duration_since(start) * PAUSE_FACTOR).min(PAUSE_MAX);
        self.lanes[lane].pause = Some((tenant, now + pause));
    }

    fn record_light(&mut self, tenant: Tenant, now: Instant) {
        // Expiry and mails are not felt by anybody.
        if tenant == Tenant::System {
            return;
        }
        if self.last_light[0].is_none_or(|(last, _)| last != tenant) {
            self.last_light.swap(0, 1);
        }
        self.last_light[0] = Some((tenant, now));
    }

    /// Whether anybody else than this tenant is there.
    fn delays_somebody(&self, tenant: Tenant, now: Instant) -> bool {
        let mut last_light = self.last_light.iter().flatten();
        last_light.any(|(other, at)| *other != tenant && now.saturating_duration_since(*at) <= PRESENCE)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
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

    /// A heavy command of the first tenant starts; else until when it waits.
    fn start(pace: &HeavyPace, now: Instant) -> Result<(), Instant> {
        start_of(pace, partner(1), now)
    }

    fn start_of(pace: &HeavyPace, tenant: Tenant, now: Instant) -> Result<(), Instant> {
        pace.start(now, true, || Some((tenant, ()))).map(|taken| assert!(taken.is_some()))
    }

    /// One takes a while.
    fn run(pace: &HeavyPace, now: Instant, took: Duration) {
        start(pace, now).unwrap();
        pace.end(now + took);
    }

    fn light(pace: &HeavyPace, tenant: Tenant, at: Instant) {
        pace.record_light(std::iter::once(tenant), at);
    }

    #[tokio::test]
    async fn heavy_commands_take_a_quarter_of_the_time_while_somebody_else_is_there() {
        let (begin, [pace]) = (Instant::now(), lanes());
        light(&pace, partner(2), begin);
        run(&pace, begin, 80 * MS);
        assert_eq!(start(&pace, begin + 80 * MS), Err(begin + 320 * MS));
        assert_eq!(start(&pace, begin + 319 * MS), Err(begin + 320 * MS));
        assert_eq!(start(&pace, begin + 320 * MS), Ok(()));
    }

    #[tokio::test]
    async fn of_all_lanes_one_runs_a_heavy_command_and_all_together_take_a_quarter_of_the_time() {
        let (begin, [a, b, c]) = (Instant::now(), lanes());
        // Somebody else is felt in any lane.
        light(&c, partner(2), begin);
        start(&a, begin).unwrap();
        assert_eq!(start(&b, begin + 79 * MS), Err(begin + PAUSE_MAX), "another lane has the turn");
        a.end(begin + 80 * MS);
        assert_eq!(start(&c, begin + 80 * MS), Err(begin + 320 * MS));
        assert_eq!(start(&a, begin + 81 * MS), Err(begin + 320 * MS));
        // The second has waited for longer than the third, and that for longer than the first.
        assert_eq!(start(&a, begin + 320 * MS), Err(begin + 520 * MS));
        assert_eq!(start(&c, begin + 340 * MS), Err(begin + 420 * MS));
        run(&b, begin + 350 * MS, 20 * MS);
        assert_eq!(start(&a, begin + 430 * MS), Err(begin + 530 * MS), "the third lane comes first");
        assert_eq!(start(&c, begin + 430 * MS), Ok(()));
    }

    #[tokio::test]
    async fn a_lane_that_does_not_take_its_turn_holds_nobody_up() {
        let (begin, [a, b]) = (Instant::now(), lanes());
        light(&b, partner(2), begin);
        run(&a, begin, 10 * MS);
        start(&a, begin + 10 * MS).unwrap_err();
        start(&b, begin + 11 * MS).unwrap_err();
        assert_eq!(start(&b, begin + 139 * MS), Err(begin + 140 * MS));
        assert_eq!(start(&b, begin + 140 * MS), Ok(()));
        b.end(begin + 140 * MS);
        start(&b, begin + 140 * MS).unwrap_err();
        // What waited there has gone.
        a.leave();
        assert_eq!(start(&b, begin + 141 * MS), Ok(()));
    }

    #[tokio::test]
    async fn lanes_do_not_wait_for_one_that_is_held_up_or_that_nobody_feels() {
        let (begin, [a, b, c, d]) = (Instant::now(), lanes());
        start_of(&a, partner(2), begin).unwrap();
        start(&b, begin + MS).unwrap();
        // The first delays itself only, and the second somebody else.
        light(&c, partner(2), begin + MS);
        assert_eq!(start(&c, begin + MS), Err(begin + MS + PAUSE_MAX));
        assert_eq!(start(&c, begin + MS + PAUSE_MAX), Ok(()), "the second is held up");
        assert_eq!(start(&d, begin + MS + PAUSE_MAX), Err(begin + MS + 2 * PAUSE_MAX));
    }

    #[tokio::test]
    async fn the_longest_pause_holds_of_those_that_delay_somebody() {
        let (begin, [a, b, c]) = (Instant::now(), lanes());
        // The only one who sells, whom its own command does not delay, and another.
        light(&c, partner(2), begin);
        start_of(&a, partner(2), begin).unwrap();
        start(&b, begin).unwrap();
        a.end(begin + 1_000 * MS);
        b.end(begin + 900 * MS);
        assert_eq!(start(&c, begin + 1_000 * MS), Err(begin + 3_600 * MS), "that of the other");
        light(&c, partner(3), begin);
        assert_eq!(start(&c, begin + 1_000 * MS), Err(begin + 4_000 * MS), "now both delay somebody");
    }

    #[tokio::test]
    async fn a_long_command_that_delays_nobody_takes_no_pause_away() {
        let (begin, [a, b]) = (Instant::now(), lanes());
        light(&b, partner(2), begin);
        start_of(&a, partner(2), begin).unwrap();
        a.end(begin + 1_000 * MS);
        run(&b, begin + 1_000 * MS, 10 * MS);
        assert_eq!(start(&b, begin + 1_010 * MS), Err(begin + 1_040 * MS));
        assert_eq!(b.start(begin + 1_010 * MS, false, || Some((partner(1), ()))), Ok(Some(())));
    }

    #[tokio::test]
    async fn whoever_waits_for_another_lane_is_woken_when_its_command_ends() {
        let (begin, [a, b]) = (Instant::now(), lanes());
        let mut end = std::pin::pin!(b.next_end());
        end.as_mut().enable();
        assert!(end.as_mut().now_or_never().is_none());
        run(&a, begin, MS);
        assert!(end.now_or_never().is_some());
    }

    #[tokio::test]
    async fn nobody_pauses_for_himself_for_the_system_or_for_those_who_have_gone() {
        let (begin, [pace]) = (Instant::now(), lanes());
        for tenant in [partner(1), Tenant::System] {
            light(&pace, tenant, begin);
            run(&pace, begin, 80 * MS);
        }
        light(&pace, partner(2), begin);
        // The latest is one's own, and somebody else was there shortly before.
        light(&pace, partner(1), begin + 5_000 * MS);
        run(&pace, begin + 9_000 * MS, 900 * MS);
        assert!(start(&pace, begin + 10_000 * MS).is_err());
        assert_eq!(start(&pace, begin + 10_001 * MS), Ok(()));
    }

    #[tokio::test]
    async fn a_heavy_command_that_a_database_held_up_makes_no_long_pause() {
        let (begin, [pace]) = (Instant::now(), lanes());
        run(&pace, begin, 60_000 * MS);
        light(&pace, partner(2), begin + 60_000 * MS);
        assert_eq!(start(&pace, begin + 60_000 * MS), Err(begin + 63_000 * MS));
    }
}
