//! When the next heavy command may start. A lane does one thing at a time: what takes long delays all others.

use std::time::Duration;

use tokio::time::Instant;

use crate::tenant::Tenant;

/// After a heavy command, others come for so many times as long as it took.
const PAUSE_FACTOR: u32 = 3;
/// The longest pause. What takes longer was held up by the database.
const PAUSE_MAX: Duration = Duration::from_secs(3);
/// How long somebody counts as present after a command.
const PRESENCE: Duration = Duration::from_secs(10);

/// Keeps heavy commands to a quarter of the time while they delay anybody else. Somebody alone has no pauses.
#[derive(Default)]
pub(super) struct HeavyPace {
    last_heavy: Option<HeavyRun>,
    /// The last light command of each of the two tenants that came last: one of them is somebody else.
    last_light: [Option<(Tenant, Instant)>; 2],
}

struct HeavyRun {
    tenant: Tenant,
    ended_at: Instant,
    took: Duration,
}

impl HeavyPace {
    /// A light command was taken from the queue.
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

    /// A heavy command has ended.
    pub(super) fn record_heavy(&mut self, tenant: Tenant, started_at: Instant, ended_at: Instant) {
        self.last_heavy = Some(HeavyRun { tenant, ended_at, took: ended_at.saturating_duration_since(started_at) });
    }

    /// Until when heavy commands wait; `None` if one may start now.
    pub(super) fn paused_until(&self, now: Instant) -> Option<Instant> {
        let last = self.last_heavy.as_ref()?;
        let until = last.ended_at + (last.took * PAUSE_FACTOR).min(PAUSE_MAX);
        let delays =
            |(tenant, at): &(Tenant, Instant)| *tenant != last.tenant && now.saturating_duration_since(*at) <= PRESENCE;
        (until > now && self.last_light.iter().flatten().any(delays)).then_some(until)
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

    #[tokio::test]
    async fn heavy_commands_take_a_quarter_of_the_time_while_somebody_else_is_there() {
        let start = Instant::now();
        let mut pace = HeavyPace::default();
        pace.record_light(partner(2), start);
        assert_eq!(pace.paused_until(start), None, "nothing heavy was there before");
        pace.record_heavy(partner(1), start, start + 80 * MS);
        assert_eq!(pace.paused_until(start + 80 * MS), Some(start + 320 * MS));
        assert_eq!(pace.paused_until(start + 319 * MS), Some(start + 320 * MS));
        assert_eq!(pace.paused_until(start + 320 * MS), None);
    }

    #[tokio::test]
    async fn nobody_pauses_for_himself_for_the_system_or_for_those_who_have_gone() {
        let start = Instant::now();
        let mut pace = HeavyPace::default();
        for tenant in [partner(1), Tenant::System] {
            pace.record_light(tenant, start);
            pace.record_heavy(partner(1), start, start + 80 * MS);
            assert_eq!(pace.paused_until(start + 80 * MS), None, "{tenant:?}");
        }
        pace.record_light(partner(2), start);
        // The latest is one's own, and somebody else was there shortly before.
        pace.record_light(partner(1), start + 5_000 * MS);
        pace.record_heavy(partner(1), start + 9_000 * MS, start + 9_900 * MS);
        assert!(pace.paused_until(start + 10_000 * MS).is_some());
        assert_eq!(pace.paused_until(start + 10_001 * MS), None);
    }

    #[tokio::test]
    async fn a_heavy_command_that_a_database_held_up_makes_no_long_pause() {
        let start = Instant::now();
        let mut pace = HeavyPace::default();
        pace.record_light(partner(2), start + 60_000 * MS);
        pace.record_heavy(partner(1), start, start + 60_000 * MS);
        assert_eq!(pace.paused_until(start + 60_000 * MS), Some(start + 63_000 * MS));
    }
}
