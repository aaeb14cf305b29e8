//! Purge of invitations that have lapsed.

use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::ShardTag;
use kassa_domain::invitation::{Invitation, InvitationKey, PurgeInvitations};
use kassa_store::queries::ExpiredInvitations;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct PurgeLapsedInvitations;

impl PeriodicJob for PurgeLapsedInvitations {
    const NAME: &'static str = "purge_invitations";
    const INTERVAL: Duration = Duration::from_mins(5);

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.purge_invitations().await
    }
}

impl Engine {
    /// Removes the invitations that have lapsed, and returns how many.
    pub async fn purge_invitations(&self) -> Result<u64, Failure> {
        self.execute_due(|now| ExpiredInvitations { now }, purge_by_shard).await
    }
}

/// One command for each shard.
fn purge_by_shard(lapsed: Vec<Invitation>) -> Vec<PurgeInvitations> {
    let mut by_shard: BTreeMap<ShardTag, Vec<InvitationKey>> = BTreeMap::new();
    for invitation in lapsed {
        by_shard.entry(invitation.key.user.tag()).or_default().push(invitation.key);
    }
    by_shard.into_iter().map(|(tag, keys)| PurgeInvitations { tag, keys }).collect()
}
