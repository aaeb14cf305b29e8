//! Several engines on one database, as several servers are.

use std::collections::BTreeSet;

use kassa_domain::api_key::ApiKey;
use kassa_domain::event::{CreateEvent, EventPatch, EventStatus, UpdateEvent};
use kassa_domain::hall_map::{CreateHallMap, Sector, UpdateHallMap};
use kassa_domain::invitation::{INVITATION_LIFETIME_MS, InviteToRegister};
use kassa_domain::job::JobProgress;
use kassa_domain::node::Node;
use kassa_domain::order::{CreateOrder, CustomerPatch, OrderEdit, OrderOutcome, OrderTransition, TicketSelection};
use kassa_domain::partner::{RestorePartner, SuspendPartner};
use kassa_domain::refusal::CredentialFault;
use kassa_domain::set::{AdvanceSetResize, CreateSet, SetId};
use kassa_domain::suspension::Inactivity;
use kassa_domain::user::{Email, UserId};
use kassa_domain::venue::{CreateVenue, VenuePatch};
use kassa_domain::{Actor, Patch, ReadSet, Refusal, Timestamp, View, Window};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::{Engine, Failure};
use tokio::task::JoinSet;

use crate::harness::Database;
use crate::sales::{Sale, half_price, new_set};

pub(crate) async fn two_nodes_creating_promotions_for_one_event_leave_one_running(db: Database) {
    let (sale, other) = (Sale::of(&db, 1).await, db.engine().await);
    let actor = Actor::Partner(sale.org);
    for round in 0..20 {
        let command = CreateEvent { organizer: sale.org, patch: EventPatch::default() };
        let event = sale.engine.execute(&actor, command, |_, event| event.id).await.unwrap();
        let promote = |engine: &Engine| {
            let (engine, actor) = (engine.clone(), actor.clone());
            async move { engine.execute(&actor, half_price(event), |_, _| ()).await }
        };
        let (one, another) = (tokio::spawn(promote(&sale.engine)), tokio::spawn(promote(&other)));
        let made = [one.await.unwrap(), another.await.unwrap()];
        let refused = Err(Failure::Refused(Refusal::PromotionOverlap));
        assert!(made.contains(&Ok(())) && made.contains(&refused), "round {round}: {made:?}");
    }
}

/// What another server has looked up is good for its reads for some seconds, but for no write.
pub(crate) async fn a_suspension_by_one_node_stops_the_writes_of_another_at_once(db: Database) {
    let (sale, other) = (Sale::of(&db, 5).await, db.engine().await);
    let (partner, actor) = (sale.org, Actor::Partner(sale.org));
    let one = || TicketSelection::AnyOfSets(vec![(sale.set, 1)]);
    let token = |_: &ApiKey, token: &str| token.to_owned();
    let token =
        sale.engine.create_key(&Actor::Operator, NewApiKey::without_scopes(partner, "till"), token).await.unwrap();
    assert_eq!(sale.engine.actor_of_key(&token).await, Ok(actor.clone()));
    let order = sale.order(one()).await.unwrap();
    let refused = Failure::Refused(CredentialFault::PartnerInactive(Inactivity::Suspended).into());
    other.change_access(&Actor::Operator, SuspendPartner { partner, reason: None }).await.unwrap();
    assert_eq!(sale.order(one()).await.unwrap_err(), refused);
    assert_eq!(sale.transition(&order, OrderTransition::Paid).await.unwrap_err(), refused);
    let quote = CreateOrder { event: sale.event, vendor: partner, deal: None, edit: OrderEdit::default() };
    assert_eq!(sale.engine.dry_run(&actor, &quote, |_, _| ()).await.unwrap_err(), refused);
    assert_eq!(other.actor_of_key(&token).await.unwrap_err(), refused);
    // The hold ends as ever.
    db.clock.advance_ms(15 * 60_000);
    assert_eq!(sale.engine.expire_due().await, Ok(1));
    other.change_access(&Actor::Operator, RestorePartner { partner }).await.unwrap();
    assert_eq!(other.actor_of_key(&token).await, Ok(actor));
    sale.order(one()).await.unwrap();
}

pub(crate) async fn lapsed_invitations_are_purged_by_any_node(db: Database) {
    let (engine, other) = (db.engine().await, db.engine().await);
    for email in ["ann@example.org", "bob@example.org"] {
        let command = InviteToRegister { email: email.parse().unwrap() };
        engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    }
    assert_eq!(other.purge_invitations().await, Ok(0));
    db.clock.advance_ms(INVITATION_LIFETIME_MS);
    assert_eq!(other.purge_invitations().await, Ok(2));
    assert_eq!(engine.purge_invitations().await, Ok(0));
}

/// A draft of an event claims no seat, and does once it is public: when it becomes so, or when it is public and is given
/// the map.
pub(crate) async fn a_hall_map_that_one_node_shrinks_is_not_sold_by_another(db: Database) {
    let (sale, other) = (Sale::of(&db, 1).await, db.engine().await);
    let actor = Actor::Partner(sale.org);
    let (mut cut, mut claimed) = (0, 0);
    for round in 0..20 {
        let command = CreateVenue { owner: sale.org, patch: VenuePatch::default() };
        let venue = sale.engine.execute(&actor, command, |_, venue| venue.id).await.unwrap();
        let command = CreateHallMap { venue, name: String::new(), desc: None, sectors: vec![sector("A"), sector("B")] };
        let map = sale.engine.execute(&actor, command, |_, map| map.id).await.unwrap();
        let status = Patch::Set(EventStatus::Public);
        let lifetime = Patch::Set(Window { start: Timestamp::from_ms(0), finish: None });
        let adopts = EventPatch { hall_map: Patch::Set(map), ..EventPatch::default() };
        let goes_public = EventPatch { status: status.clone(), ..EventPatch::default() };
        let place = EventPatch { venue: Patch::Set(venue), lifetime, ..EventPatch::default() };
        let (patch, change) = if round % 2 == 0 {
            (EventPatch { status, ..place }, adopts)
        } else {
            (EventPatch { hall_map: Patch::Set(map), ..place }, goes_public)
        };
        let command = CreateEvent { organizer: sale.org, patch };
        let event = sale.engine.execute(&actor, command, |_, event| event.id).await.unwrap();
        let command = CreateSet { sector: "A".to_owned(), ..new_set(event) };
        sale.engine.execute(&actor, command, |_, _| ()).await.unwrap();

        let sectors = Some(vec![sector("B")]);
        let command = UpdateHallMap { venue, hall_map: map, name: Patch::Keep, desc: Patch::Keep, sectors };
        let (engine, by) = (sale.engine.clone(), actor.clone());
        let cuts = tokio::spawn(async move { engine.execute(&by, command, |_, _| ()).await });
        let command = UpdateEvent { event, patch: change };
        let (engine, by) = (other.clone(), actor.clone());
        let claims = tokio::spawn(async move { engine.execute(&by, command, |_, _| ()).await });
        match (cuts.await.unwrap(), claims.await.unwrap()) {
            (Ok(()), Err(Failure::Refused(_))) => cut += 1,
            (Err(Failure::Refused(Refusal::MapInUse)), Ok(())) => claimed += 1,
            both => panic!("round {round}: {both:?}"),
        }
    }
    assert_eq!(cut + claimed, 20);
}

/// Where people stand.
fn sector(id: &str) -> Sector {
    Sector { id: id.to_owned(), name: id.to_owned(), desc: None, rows: Vec::new() }
}

pub(crate) async fn a_customer_created_by_two_nodes_at_once_is_one_user(db: Database) {
    let (sale, other) = (Sale::of(&db, 1).await, db.engine().await);
    let actor = Actor::Partner(sale.org);
    // Their orders lock no row in common.
    let lifetime = Patch::Set(Window { start: Timestamp::from_ms(0), finish: None });
    let patch = EventPatch { status: Patch::Set(EventStatus::Public), lifetime, ..EventPatch::default() };
    let command = CreateEvent { organizer: sale.org, patch };
    let event = sale.engine.execute(&actor, command, |_, event| event.id).await.unwrap();
    for round in 0..20 {
        let email: Email = format!("ann{round}@example.org").parse().unwrap();
        let mut calls: JoinSet<Option<UserId>> = JoinSet::new();
        for (engine, event) in [(&sale.engine, sale.event), (&other, event)].into_iter().cycle().take(8) {
            let customer = Some(CustomerPatch::with_email(email.clone()));
            let edit = OrderEdit { customer, ..OrderEdit::default() };
            let command = CreateOrder { event, vendor: sale.org, deal: None, edit };
            let (engine, actor) = (engine.clone(), actor.clone());
            let user = |_: &View, outcome: &OrderOutcome| outcome.order.customer.user;
            calls.spawn(async move { engine.execute(&actor, command, user).await.unwrap() });
        }
        let found: BTreeSet<_> = calls.join_all().await.into_iter().collect();
        assert!(found.len() == 1 && !found.contains(&None), "round {round}: {found:?}");
    }
}

/// Tickets of a set that no command can make at once.
const LARGE_SET: u32 = 25_000;

impl Sale {
    /// A set of [`MANY`]: the first of them are there, and a job is to make the rest.
    pub(crate) async fn large_set(&self) -> SetId {
        let command = CreateSet { amount: LARGE_SET, ..new_set(self.event) };
        self.engine.execute(&Actor::Partner(self.org), command, |_, set| set.id).await.unwrap()
    }

    /// One step of the set's job.
    async fn advance(&self, set: SetId) -> JobProgress {
        let view = self.engine.view(&ReadSet { sets_of: vec![self.event], ..ReadSet::default() }).await.unwrap();
        let job = view.sets.get(set).unwrap().job.unwrap();
        let command = AdvanceSetResize::from_view(job, self.event, set, &view);
        self.engine.execute(&Actor::System, command, |_, progress| *progress).await.unwrap()
    }

    async fn pending(&self, set: SetId) -> i64 {
        let view = self.engine.view(&ReadSet { sets: vec![set], ..ReadSet::default() }).await.unwrap();
        view.sets.get(set).unwrap().counts.pending
    }
}

pub(crate) async fn a_job_belongs_to_one_node_until_that_node_pauses(db: Database) {
    let (sale, other) = (Sale::of(&db, 1).await, db.engine().await);
    let set = sale.large_set().await;
    assert_eq!((sale.advance(set).await, sale.pending(set).await), (JobProgress::HasMore, 5_000));
    for ms in [0, 2_999] {
        db.clock.advance_ms(ms);
        other.run_jobs().await.unwrap();
        assert_eq!(sale.pending(set).await, 5_000, "it is leased by another node");
    }
    db.clock.advance_ms(1);
    other.run_jobs().await.unwrap();
    assert_eq!(sale.pending(set).await, 0);
}

pub(crate) async fn a_job_of_a_lane_that_lost_its_number_goes_on_under_the_next(db: Database) {
    let sale = Sale::of(&db, 1).await;
    let set = sale.large_set().await;
    sale.advance(set).await;
    db.update_nodes(vec![0], |row| Node { epoch: row.epoch + 1, ..row }).await;
    assert_eq!(sale.engine.run_jobs().await, Err(Failure::Unavailable));
    assert_eq!((sale.engine.run_jobs().await, sale.pending(set).await), (Ok(0), 5_000));
    db.clock.advance_ms(3_000);
    assert_eq!((sale.engine.run_jobs().await, sale.pending(set).await), (Ok(1), 0));
}

pub(crate) async fn nodes_that_work_on_one_job_make_no_ticket_twice(db: Database) {
    let (sale, other) = (Sale::of(&db, 1).await, db.engine().await);
    let set = sale.large_set().await;
    // They look at the same time, again and again.
    while sale.pending(set).await > 0 {
        let (one, another) = tokio::join!(sale.engine.run_jobs(), other.run_jobs());
        assert!(one.is_ok() && another.is_ok(), "{one:?} {another:?}");
    }
    let command = ReadSet { sets: vec![set], ..ReadSet::default() };
    let view = sale.engine.view(&command).await.unwrap();
    let set = view.sets.get(set).unwrap();
    assert_eq!((set.counts.amount, set.job), (i64::from(LARGE_SET), None));
}
