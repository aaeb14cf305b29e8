//! Orders that meet in one batch.

use kassa_domain::actor::UserActor;
use kassa_domain::event::{CreateEvent, EventId, EventPatch, EventStatus};
use kassa_domain::order::{CreateOrder, Order, OrderEdit, Wanted};
use kassa_domain::partner::{CreatePartner, PartnerId, PartnerPatch};
use kassa_domain::set::{CreateSet, SetId};
use kassa_domain::ticket::TicketId;
use kassa_domain::user::EnsureUser;
use kassa_domain::{Actor, Money, Patch};
use kassa_engine::{Engine, Failure};
use kassa_store::Slice;
use kassa_store::queries::TicketsFilter;

use crate::house::{Database, Gate, begin};

/// A public event with a set of tickets, and its organizer.
struct Sale {
    engine: Engine,
    org: PartnerId,
    event: EventId,
    set: SetId,
    tickets: Vec<TicketId>,
}

impl Sale {
    async fn of(db: &Database, amount: u32) -> Self {
        let engine = db.engine().await;
        let email = "org@example.org".parse().unwrap();
        let user = engine.execute(&Actor::System, EnsureUser { email }, |_, user| *user).await.unwrap();
        let actor = Actor::User(UserActor { user, proved: Vec::new(), partners: Vec::new(), chosen: None });
        let command = CreatePartner { manager: user, patch: PartnerPatch::default() };
        let org = engine.execute(&actor, command, |_, partner| partner.id).await.unwrap();
        let actor = Actor::Partner(org);
        let patch = EventPatch { status: Patch::Set(EventStatus::Public), ..EventPatch::default() };
        let event = engine.execute(&actor, CreateEvent { org, patch }, |_, event| event.id).await.unwrap();
        let command = CreateSet {
            event,
            name: String::new(),
            desc: None,
            sector: String::new(),
            pos: 0,
            amount,
            price: Some(Money::from_minor(100)),
            rules: Vec::new(),
        };
        let set = engine.execute(&actor, command, |_, set| set.id).await.unwrap();
        let filter = TicketsFilter { event, sets: vec![set], states: [true; 4], ids: None, after: 0 };
        let tickets = engine.page(filter, Slice::first(amount)).await.unwrap().rows;
        Self { engine, org, event, set, tickets: tickets.iter().map(|ticket| ticket.id).collect() }
    }

    async fn order(&self, wanted: Wanted) -> Result<Order, Failure> {
        let edit = OrderEdit { wanted: Some(wanted), ..OrderEdit::default() };
        let command = CreateOrder { event: self.event, vendor: self.org, deal: None, edit };
        self.engine.execute(&Actor::Partner(self.org), command, |_, outcome| outcome.order.clone()).await
    }
}

pub(crate) async fn a_random_pick_finds_what_a_choice_by_id_in_its_batch_leaves(db: Database) {
    let sale = Sale::of(&db, 10).await;
    let (gate, held) = Gate::hold(&sale.engine);
    // Those that are offered first are gone before the random picks have their turn.
    let chosen = begin(sale.order(Wanted::Tickets(sale.tickets[..4].to_vec())));
    let random: Vec<_> = (0..3).map(|_| begin(sale.order(Wanted::Random(vec![(sale.set, 2)])))).collect();
    gate.open();
    held.await.unwrap();
    assert_eq!(chosen.await.unwrap().lines.len(), 4);
    for order in random {
        assert_eq!(order.await.unwrap().lines.len(), 2, "six were left for three who want two each");
    }
}
