//! Whose commands are slow. Rows say little of how long it takes to show what was changed, so a lane goes by what it has seen.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::tenant::Tenant;

/// So many slow commands make a tenant slow. One alone may be the machine's fault: the system counts as work also what it
/// does by itself while a thread runs.
const SLOW_COMMANDS: usize = 3;
/// How long a slow command is remembered.
const MEMORY: Duration = Duration::from_secs(10);
/// So many commands after a slow one without another, they are quick on the whole, as those of a crowd at a sale are.
const QUICK_COMMANDS: u32 = 256;

/// The tenants that had slow commands a short while ago.
#[derive(Default)]
pub(super) struct SlowTenants(BTreeMap<Tenant, SlowCommands>);

/// The last slow commands of a tenant.
#[derive(Default)]
struct SlowCommands {
    /// When, the latest last.
    at: Vec<Instant>,
    /// Commands that came after the latest.
    commands_since: u32,
}

impl SlowTenants {
    /// Some commands were slow.
    pub(super) fn record_slow(&mut self, tenants: &[Tenant], now: Instant) {
        self.0.retain(|_, slow| slow.at.last().is_some_and(|at| now.duration_since(*at) < MEMORY));
        // What the program does by itself is bounded already, and nobody can do it in its place.
        for tenant in tenants.iter().filter(|tenant| **tenant != Tenant::System) {
            let slow = self.0.entry(*tenant).or_default();
            if slow.at.len() == SLOW_COMMANDS {
                slow.at.remove(0);
            }
            slow.at.push(now);
            slow.commands_since = 0;
        }
    }

    /// A command of a tenant was taken from the queue.
    pub(super) fn record_taken(&mut self, tenant: Tenant) {
        // Mostly nobody was slow.
        if !self.0.is_empty()
            && let Some(slow) = self.0.get_mut(&tenant)
        {
            slow.commands_since += 1;
            if slow.commands_since >= QUICK_COMMANDS {
                self.0.remove(&tenant);
            }
        }
    }

    /// Whether all commands of a tenant count as heavy.
    pub(super) fn contains(&self, tenant: Tenant) -> bool {
        !self.0.is_empty()
            && self.0.get(&tenant).is_some_and(|slow| {
                slow.at.len() == SLOW_COMMANDS && Instant::now().duration_since(slow.at[0]) < MEMORY
            })
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn partner(key: i64) -> Tenant {
        Tenant::Partner(Id::root(key))
    }

    #[tokio::test(start_paused = true)]
    async fn three_slow_commands_in_ten_seconds_make_a_tenant_slow_until_they_are_forgotten() {
        let mut tenants = SlowTenants::default();
        for _ in 0..2 {
            tenants.record_slow(&[partner(1)], Instant::now());
            assert!(!tenants.contains(partner(1)));
            tokio::time::advance(4 * SECOND).await;
        }
        tenants.record_slow(&[partner(1), partner(2)], Instant::now());
        assert_eq!([1, 2].map(|key| tenants.contains(partner(key))), [true, false]);
        tokio::time::advance(2 * SECOND).await;
        assert!(!tenants.contains(partner(1)), "of the last ten seconds there are two");
        tenants.record_slow(&[partner(1)], Instant::now());
        assert!(tenants.contains(partner(1)), "three again");
        tokio::time::advance(10 * SECOND).await;
        tenants.record_slow(&[], Instant::now());
        assert!(tenants.0.is_empty(), "nobody is remembered for long");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_has_many_quick_commands_for_each_slow_one_is_not_slow() {
        let mut tenants = SlowTenants::default();
        for slow in 0..9 {
            tenants.record_slow(&[partner(1)], Instant::now());
            for _ in 0..QUICK_COMMANDS {
                assert!(!tenants.contains(partner(1)), "after {slow} slow ones");
                tenants.record_taken(partner(1));
            }
        }
        for _ in 0..3 {
            tenants.record_slow(&[partner(1)], Instant::now());
            (1..QUICK_COMMANDS).for_each(|_| tenants.record_taken(partner(1)));
        }
        assert!(tenants.contains(partner(1)));
        tenants.record_taken(partner(1));
        assert!(!tenants.contains(partner(1)), "it is quick again");
    }

    #[tokio::test(start_paused = true)]
    async fn the_program_itself_is_never_slow() {
        let mut tenants = SlowTenants::default();
        (0..9).for_each(|_| tenants.record_slow(&[Tenant::System], Instant::now()));
        assert!(!tenants.contains(Tenant::System));
    }
}
