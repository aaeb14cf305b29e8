//! Lists show to a caller exactly what it may read by id: the rules of SQL and those of the domain are
//! one.

use kassa_domain::actor::UserActor;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::{EffectiveEventStatus, Event};
use kassa_domain::order::Order;
use kassa_domain::partner::{Membership, Partner, PartnerId, Role};
use kassa_domain::permission::{
    partner_visibility, sees_attachment, sees_deal, sees_event, sees_order, sees_refund, sees_venue, sells_event,
};
use kassa_domain::refund::RefundRequest;
use kassa_domain::venue::Venue;
use kassa_domain::view::Row;
use kassa_domain::{Actor, Id, Timestamp, View};
use kassa_store::queries::{
    AttachmentsFilter, DealsFilter, EventsFilter, OrdersFilter, PartnersFilter, RefundsFilter, SellableEventsFilter,
    VenuesFilter,
};

use crate::crowd::write_sample_rows;
use crate::database::Database;
use crate::dice::Dice;

/// Callers that are asked for.
const CALLERS: usize = 150;

fn caller(dice: &mut Dice) -> Actor {
    match dice.below(4) {
        0 => Actor::Anonymous,
        1 => Actor::Partner(dice.partner()),
        _ => Actor::User(UserActor {
            user: dice.user(),
            confirmed_emails: (0..dice.below(9)).map(|_| dice.email()).collect(),
            managed_partners: dice
                .some(|dice| Membership { partner: dice.partner(), role: Role::ALL[usize::from(dice.flip())] }),
            locked_partners: Vec::new(),
            has_second_factor: false,
            is_operator: false,
            inactive_partners: Vec::new(),
            acting_for: dice.maybe(Dice::partner),
        }),
    }
}

/// The keys of rows, by size.
fn keys<K>(rows: impl IntoIterator<Item = Id<K>>) -> Vec<Id<K>> {
    let mut keys: Vec<Id<K>> = rows.into_iter().collect();
    keys.sort_unstable();
    keys
}

fn seen<K, R: Row<Key = Id<K>>>(rows: &[R], sees: impl Fn(&R) -> bool) -> Vec<Id<K>> {
    keys(rows.iter().filter(|row| sees(row)).map(Row::key))
}

fn listed<K, R: Row<Key = Id<K>>>(rows: &[R]) -> Vec<Id<K>> {
    keys(rows.iter().map(Row::key))
}

fn all_deals(caller_partners: Vec<PartnerId>, now: Timestamp) -> DealsFilter {
    DealsFilter { caller_partners, partner: None, event: None, ids: None, status: None, now, oldest_first: false }
}

pub(crate) async fn lists_show_what_a_caller_may_read_by_id(db: Database) {
    write_sample_rows(&db).await;
    let (orders, events, deals) = (db.rows::<Order>().await, db.rows::<Event>().await, db.rows::<Deal>().await);
    let (partners, refunds) = (db.rows::<Partner>().await, db.rows::<RefundRequest>().await);
    let mut view = View::default();
    for deal in &deals {
        view.deals.load(deal.clone(), 1);
    }
    for partner in &partners {
        view.partners.load(partner.clone(), 1);
    }
    let (mut dice, mut shown) = (Dice::new(3), 0);
    for _ in 0..CALLERS {
        let actor = caller(&mut dice);
        let own = actor.acting_partners();
        let customer = actor.user().map(|user| (user.user, user.confirmed_emails.clone()));
        let filter = OrdersFilter { partners: own.clone(), customer, ..OrdersFilter::default() };
        let list = listed(&db.list(filter).await);
        assert_eq!(list, seen(&orders, |order| sees_order(&actor, order)), "orders of {actor:?}");
        shown += list.len();
        let now = dice.moment();
        let filter = EventsFilter {
            caller_partners: own.clone(),
            org: None,
            ids: None,
            status: None,
            include_removed: true,
            now,
        };
        let list = listed(&db.list(filter).await);
        assert_eq!(list, seen(&events, |event| sees_event(&actor, event, &view)), "events of {actor:?}");
        shown += list.len();
        let mut filter = SellableEventsFilter::on_sale(own.clone(), now);
        filter.status = vec![
            EffectiveEventStatus::StandBy,
            EffectiveEventStatus::Public,
            EffectiveEventStatus::Finished,
            EffectiveEventStatus::Canceled,
        ];
        let list = listed(&db.list(filter).await);
        assert_eq!(list, seen(&events, |event| sells_event(&actor, event, &view)), "sold by {actor:?}");
        shown += list.len();
        let filter = all_deals(own, now);
        let list = listed(&db.list(filter).await);
        assert_eq!(list, seen(&deals, |deal| sees_deal(&actor, deal)), "deals of {actor:?}");
        shown += list.len();
        let filter = RefundsFilter { partners: actor.acting_partners(), ..RefundsFilter::default() };
        let list = listed(&db.list(filter).await);
        assert_eq!(list, seen(&refunds, |request| sees_refund(&actor, request)), "refunds of {actor:?}");
        shown += list.len();
        let own = actor.acting_partners();
        let filter =
            PartnersFilter { ids: None, counterparties_of: Some(own.clone()), include_removed_of: own.clone() };
        let list = listed(&db.list(filter).await);
        let around = |partner: &Partner| {
            let deals = deals.iter().any(|deal| sees_deal(&actor, deal) && deal.is_between(partner.id, &own));
            (actor.acts_for(partner.id) || deals) && partner_visibility(&actor, partner, &view).is_some()
        };
        assert_eq!(list, seen(&partners, around), "partners of {actor:?}");
        shown += list.len();
    }
    assert!(shown > CALLERS, "too little is seen to say anything: {shown}");
}

pub(crate) async fn lists_of_venues_and_files_show_what_a_caller_may_read_by_id(db: Database) {
    write_sample_rows(&db).await;
    let (venues, attachments) = (db.rows::<Venue>().await, db.rows::<Attachment>().await);
    let (mut dice, mut shown) = (Dice::new(4), 0);
    for _ in 0..CALLERS {
        let actor = caller(&mut dice);
        let own = actor.acting_partners();
        let list = listed(&db.list(VenuesFilter { include_removed_of: own.clone(), ..VenuesFilter::default() }).await);
        assert_eq!(list, seen(&venues, |venue| sees_venue(&actor, venue)), "venues of {actor:?}");
        let list = listed(&db.list(AttachmentsFilter { authors: own, ids: None, include_removed: true }).await);
        assert_eq!(list, seen(&attachments, |attachment| sees_attachment(&actor, attachment)), "files of {actor:?}");
        shown += list.len();
    }
    assert!(shown > CALLERS, "too little is seen to say anything: {shown}");
}
