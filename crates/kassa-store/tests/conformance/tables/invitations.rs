//! Invitations.

use std::cmp::Ordering;

use kassa_domain::invitation::{Invitation, InvitationKey, InvitationStatus};
use kassa_domain::partner::Role;
use kassa_domain::{Id, ReadSet, Timestamp, View};
use kassa_store::queries::ExpiredInvitations;

use crate::database::Database;
use crate::dice::{Dice, INVITATIONS};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, at};

/// An invitation by a partner, or by the operator.
pub(crate) fn invitation(partner: Option<i64>, user: i64) -> Invitation {
    Invitation {
        key: InvitationKey { partner: partner.map(Id::root), user: Id::root(user) },
        founder: partner.map(|partner| Id::root(partner + 100)),
        email: samples::user(user).email,
        is_email_known: false,
        role: Role::Owner,
        status: InvitationStatus::Pending,
        created_at: at(user),
        expires_at: at(user + 30),
    }
}

kind!(
    Invitation,
    invitations,
    |row, read_set| read_set.invitations.push(row.key),
    [samples::invitation(None, 1), samples::invitation(Some(1), 1), samples::invitation(Some(1), 2)],
    |row| Invitation {
        email: samples::user(9).email,
        is_email_known: true,
        role: Role::Reader,
        status: InvitationStatus::Accepted,
        created_at: at(98),
        expires_at: at(99),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            for user in 1..=INVITATIONS {
                let partner = dice.maybe(Dice::partner).map(Id::key);
                view.invitations.put(Invitation { expires_at: dice.moment(), ..invitation(partner, user) });
            }
        }

        fn plan_cases(cases: &mut PlanCases) {
            let filter = ExpiredInvitations { now: Timestamp::from_ms(0) };
            cases.add(&filter, AccessPath::OrderedIndex, &["invitations_expires_at"]);
        }
    }
);

impl ListModel for ExpiredInvitations {
    fn includes(&self, invitation: &Invitation, _: &View) -> bool {
        invitation.expires_at <= self.now
    }

    fn compare(&self, one: &Invitation, other: &Invitation) -> Ordering {
        (one.expires_at, one.key).cmp(&(other.expires_at, other.key))
    }
}

pub(crate) async fn lapsed_invitations_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<ExpiredInvitations>(db, |dice| ExpiredInvitations { now: dice.moment() }).await;
}

pub(crate) async fn invitations_are_found_by_who_sent_them_and_who_got_them(db: Database) {
    let all = [invitation(None, 1), invitation(Some(1), 1), invitation(Some(1), 2), invitation(Some(2), 2)];
    db.insert(|view| all.iter().for_each(|invitation| view.invitations.put(invitation.clone()))).await;
    let cases = [
        (ReadSet { invitations_of_partner: vec![Id::root(1)], ..ReadSet::default() }, vec![all[1].key, all[2].key]),
        (ReadSet { invitations_of_user: vec![Id::root(2)], ..ReadSet::default() }, vec![all[2].key, all[3].key]),
        (ReadSet { invitations_to: vec![samples::user(1).email], ..ReadSet::default() }, vec![all[0].key, all[1].key]),
        (ReadSet { invitations_of_partner: vec![Id::root(3)], ..ReadSet::default() }, Vec::new()),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let mut found: Vec<InvitationKey> = view.invitations.rows().map(|invitation| invitation.key).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{read_set:?}");
    }
}
