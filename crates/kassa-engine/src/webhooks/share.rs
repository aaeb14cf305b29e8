//! Which endpoints a server sends to where several do: each is one writer's, as a hash of both says. When a writer comes or
//! goes, only what becomes its own, or was, changes hands. It is no more than a preference, for a claim decides.

use kassa_domain::ReadSet;
use kassa_domain::id::{NODES_MAX, ShardTag};
use kassa_domain::webhook::WebhookId;

use crate::engine::Engine;
use crate::failure::Failure;

/// Bits of the number of a writer, which are the upper ones of what is hashed.
const NODE_SHIFT: u32 = 54;

/// The writers among which endpoints are shared out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SenderShare {
    /// The numbers of all that are at work.
    all: Vec<u16>,
    /// Those of this server.
    own: Vec<u16>,
}

impl SenderShare {
    /// As it is now, as far as leases tell.
    pub(super) async fn read(engine: &Engine) -> Result<Self, Failure> {
        let view = engine.view(&ReadSet { nodes: (0..NODES_MAX).collect(), ..ReadSet::default() }).await?;
        let now = engine.now();
        let all = view.nodes.rows().filter(|node| !node.is_claimable(now)).map(|node| node.number);
        Ok(Self::of(all.collect(), engine.inner.lanes.numbers()))
    }

    fn of(mut all: Vec<u16>, mut own: Vec<u16>) -> Self {
        all.sort_unstable();
        own.sort_unstable();
        Self { all, own }
    }

    /// Whether an endpoint is this server's; where nobody is known to be at work, it is everybody's.
    pub(super) fn has(&self, webhook: WebhookId) -> bool {
        let weight = |node: &u16| ShardTag::of_key(webhook.key() ^ (i64::from(*node) << NODE_SHIFT)).to_i64();
        let sender = self.all.iter().max_by_key(|node| (weight(node), **node));
        sender.is_none_or(|sender| self.own.contains(sender))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoints() -> impl Iterator<Item = WebhookId> {
        (0..1_000).map(|at| WebhookId::root(at << 22))
    }

    fn count(share: &SenderShare) -> usize {
        endpoints().filter(|webhook| share.has(*webhook)).count()
    }

    #[test]
    fn each_endpoint_is_one_servers_and_all_have_about_as_many() {
        let servers = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 1_023]].map(Vec::from);
        let shares = servers.each_ref().map(|own| SenderShare::of(servers.concat(), own.clone()));
        for webhook in endpoints() {
            assert_eq!(shares.iter().filter(|share| share.has(webhook)).count(), 1);
        }
        for share in &shares {
            assert!((250..420).contains(&count(share)), "{share:?} has {}", count(share));
        }
    }

    #[test]
    fn a_server_that_is_gone_leaves_the_others_what_they_had() {
        let (one, other, third) = (vec![0, 1], vec![2, 3], vec![4, 5]);
        let before = SenderShare::of([one.clone(), other.clone(), third].concat(), one.clone());
        let after = SenderShare::of([one.clone(), other].concat(), one);
        assert!(endpoints().all(|webhook| !before.has(webhook) || after.has(webhook)));
        assert!(count(&after) > count(&before));
    }

    #[test]
    fn whoever_knows_of_nobody_sends_to_all() {
        assert_eq!(count(&SenderShare::default()), 1_000);
    }
}
