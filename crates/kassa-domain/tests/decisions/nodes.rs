//! The numbers of writers: who may claim one, and how long it stays theirs. Which server makes backups.

use kassa_domain::node::{
    BackupClaim, ClaimBackups, ClaimNode, InstallationSetting, InstallationSettingName, NODE_LEASE_MS, Node,
    ReleaseNode, RenewNodeLease,
};
use kassa_domain::{Actor, Timestamp};

use crate::fixture::{Fixture, NOON};

const NODE: u16 = 7;

/// The row of a writer that has had its number, and made ids and orders under it.
fn used(lease_till: Timestamp) -> Node {
    Node {
        number: NODE,
        last_id: 99 << 40,
        next_order_number: 100_007,
        order_numbers_end: 110_001,
        epoch: 4,
        batches: 12,
        lease_till,
    }
}

impl Fixture {
    fn node(&self) -> Option<Node> {
        self.view.nodes.get(NODE).cloned()
    }

    /// The fixture's own writer is this one.
    fn writes_as(&mut self, node: &Node) {
        self.node = node.clone();
        let row = node.clone();
        self.arrange(|view| view.nodes.put(row));
    }
}

#[test]
fn a_number_that_nobody_ever_had_is_free() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.give(&Actor::System, &ClaimNode { node: NODE }), Ok(Some(1)));
    let claimed = Node { epoch: 1, lease_till: NOON.plus_ms(NODE_LEASE_MS), ..Node::new(NODE) };
    assert_eq!(fixture.node(), Some(claimed));
    assert_eq!(fixture.give(&Actor::System, &ClaimNode { node: NODE }), Ok(None), "now it is somebody's");
}

#[test]
fn a_number_is_free_from_the_end_of_its_lease_on() {
    let given_back = Timestamp::from_ms(0);
    let cases = [
        (given_back, true),
        (NOON.plus_ms(-1), true),
        (NOON, true),
        (NOON.plus_ms(1), false),
        (NOON.plus_ms(NODE_LEASE_MS), false),
        // Of one whose clock goes ahead.
        (NOON.plus_ms(1_000 * NODE_LEASE_MS), false),
    ];
    for (lease_till, is_free) in cases {
        let mut fixture = Fixture::new();
        fixture.arrange(|view| view.nodes.put(used(lease_till)));
        let claimed = fixture.give(&Actor::System, &ClaimNode { node: NODE });
        let expected = if is_free {
            Node { epoch: 5, lease_till: NOON.plus_ms(NODE_LEASE_MS), ..used(lease_till) }
        } else {
            used(lease_till)
        };
        assert_eq!((claimed, fixture.node()), (Ok(is_free.then_some(5)), Some(expected)), "{lease_till:?}");
    }
}

#[test]
fn a_number_is_kept_when_less_than_two_thirds_of_its_lease_are_left() {
    let cases = [(NODE_LEASE_MS, false), (6_667, false), (6_666, false), (6_665, true), (0, true), (-3_600_000, true)];
    for (left_ms, is_kept) in cases {
        let mut fixture = Fixture::new();
        fixture.writes_as(&used(NOON.plus_ms(left_ms)));
        fixture.give(&Actor::System, &RenewNodeLease).unwrap();
        let lease_till = NOON.plus_ms(if is_kept { NODE_LEASE_MS } else { left_ms });
        assert_eq!(fixture.node(), Some(used(lease_till)), "{left_ms} ms");
    }
}

#[test]
fn a_number_that_was_given_back_is_free_even_for_a_clock_that_is_behind() {
    let mut fixture = Fixture::new();
    fixture.writes_as(&used(NOON.plus_ms(NODE_LEASE_MS)));
    fixture.give(&Actor::System, &ReleaseNode).unwrap();
    fixture.now = NOON.plus_ms(-3_600_000);
    assert_eq!(fixture.give(&Actor::System, &ClaimNode { node: NODE }), Ok(Some(5)));
}

#[test]
fn one_server_at_a_time_makes_backups() {
    let mut fixture = Fixture::new();
    let mut claim = |worker: u64, ms: i64| {
        let command = ClaimBackups { claim: BackupClaim { worker, till: NOON.plus_ms(ms) } };
        fixture.give(&Actor::System, &command).unwrap()
    };
    assert!(claim(1, 10));
    assert!(!claim(2, 10), "another has it");
    assert!(claim(1, 20), "it is renewed");
    assert!(!claim(2, 10));
    assert!(claim(1, 0), "it is given back");
    assert!(claim(2, 10));
    assert!(!claim(1, 0), "nobody ends the claim of another");
    assert!(!claim(3, 10));
}

#[test]
fn a_claim_of_backups_that_cannot_be_read_claims_nothing() {
    let mut fixture = Fixture::new();
    let name = InstallationSettingName::Backups;
    fixture.arrange(|view| view.installation_settings.put(InstallationSetting { name, value: "nonsense".to_owned() }));
    let claim = BackupClaim { worker: 1, till: NOON.plus_ms(10) };
    assert_eq!(fixture.give(&Actor::System, &ClaimBackups { claim }), Ok(true));
}
