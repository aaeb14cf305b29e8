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

/// The tenants that had slow commands a short while ago, and when the last of these were, the latest last. Quick commands
/// take nothing back: whoever has slow ones could send any number of them beside.
#[derive(Default)]
pub(super) struct SlowTenants(BTreeMap<Tenant, Vec<Instant>>);

impl SlowTenants {
    /// Some commands were slow.
    pub(super) fn record_slow(&mut self, tenants: &[Tenant], now: Instant) {
        self.0.retain(|_, slow| slow.last().is_some_and(|at| now.duration_since(*at) < MEMORY));
        // What the program does by itself is bounded already, and nobody can do it in its place.
        for tenant in tenants.iter().filter(|tenant| **tenant != Tenant::System) {
            let slow = self.0.entry(*tenant).or_default();
            if slow.len() == SLOW_COMMANDS {
                slow.remove(0);
            }
            slow.push(now);
        }
    }

    /// Whether all commands of a tenant count as heavy.
    pub(super) fn contains(&self, tenant: Tenant) -> bool {
        let slow = self.0.get(&tenant).filter(|slow| slow.len() == SLOW_COMMANDS);
        slow.is_some_and(|slow| Instant::now().duration_since(slow[0]) < MEMORY)
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
    async fn the_program_itself_is_never_slow() {
        let mut tenants = SlowTenants::default();
        (0..9).for_each(|_| tenants.record_slow(&[Tenant::System], Instant::now()));
        assert!(!tenants.contains(Tenant::System));
    }
}
