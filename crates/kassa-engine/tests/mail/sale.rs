//! A public event with a set of tickets, and orders for it.

use kassa_domain::event::{CreateEvent, EventDetailsPatch, EventId, EventPatch, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::hall_map::{CreateHallMap, Sector};
use kassa_domain::order::{
    CreateOrder, CustomerPatch, Order, OrderEdit, OrderTransition, PaymentPatch, TicketSelection,
};
use kassa_domain::partner::{
    CreatePartner, PartnerId, PartnerPatch, PartnerProfilePatch, ShopPatch, TransferAccount, UpdatePartner,
};
use kassa_domain::payment::PaymentProvider;
use kassa_domain::seating::SeatingJson;
use kassa_domain::set::{CreateSet, SetId};
use kassa_domain::venue::{CreateVenue, VenuePatch, VenueProfilePatch};
use kassa_domain::{Actor, Money, Patch, Timestamp, Window};

use crate::harness::MailHarness;

/// Hamburg.
const CITY: CityId = CityId(2_911_298);
/// 2035-06-01T18:00:00Z.
const EVENING: Timestamp = Timestamp::from_ms(2_064_333_600_000);

/// What is on sale, and the names that people have typed.
pub(crate) struct SaleFixture<'a> {
    pub(crate) harness: &'a MailHarness,
    pub(crate) title: &'a str,
    pub(crate) set: &'a str,
    /// Its sector and its seats; without any, it has five tickets without seats.
    pub(crate) seats: Option<(&'a str, &'a str)>,
    /// Name and address of the venue.
    pub(crate) venue: Option<(&'a str, &'a str)>,
    /// The language of who buys.
    pub(crate) lang: Option<&'a str>,
    /// The sectors of the venue's hall map, by which the event sells.
    pub(crate) map: Option<Vec<Sector>>,
}

impl<'a> SaleFixture<'a> {
    /// A night in Hamburg.
    pub(crate) fn default_for(harness: &'a MailHarness) -> Self {
        Self {
            harness,
            title: "Night of the Lanterns",
            set: "Stalls",
            seats: None,
            venue: Some(("Harbour Hall", "1 Main St")),
            lang: None,
            map: None,
        }
    }

    /// Lets people order at the organizer of an order.
    pub(crate) async fn open_shop(&self, order: &Order) {
        self.change_shop(order, ShopPatch { is_open: Patch::Set(true), ..ShopPatch::default() }).await;
    }

    async fn change_shop(&self, order: &Order, shop: ShopPatch) {
        let profile = PartnerProfilePatch { shop: Patch::Set(shop), ..PartnerProfilePatch::default() };
        let patch = PartnerPatch { profile, ..PartnerPatch::default() };
        let command = UpdatePartner { partner: order.organizer, patch, users: None };
        self.harness.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    }

    /// Sells two tickets to Ann and sends them to her.
    pub(crate) async fn sell(&self) -> Order {
        self.sell_to("ann@example.org").await
    }

    pub(crate) async fn sell_to(&self, email: &str) -> Order {
        self.order(email, Some(OrderTransition::Paid)).await
    }

    /// Holds two tickets for Ann in an open shop that takes transfers, and money at the door.
    pub(crate) async fn reserve(&self) -> Order {
        let order = self.order("ann@example.org", None).await;
        let account = TransferAccount {
            iban: "DE02120300000000202051".parse().unwrap(),
            holder: "Harbour Hall".to_owned(),
            bic: Some("BYLADEM1001".parse().unwrap()),
            days: 7,
        };
        let shop = ShopPatch {
            is_open: Patch::Set(true),
            payments: Patch::Set(vec![PaymentProvider::Transfer, PaymentProvider::Door]),
            transfer: Patch::Set(account),
            ..ShopPatch::default()
        };
        self.change_shop(&order, shop).await;
        order
    }

    async fn order(&self, email: &str, transition: Option<OrderTransition>) -> Order {
        let engine = &self.harness.engine;
        let manager = self.harness.confirmed_user("org@example.org").await;
        let command = CreatePartner { manager, patch: PartnerPatch::default() };
        let org = engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
        let event = self.event(org).await;
        let set = self.set(org, event).await;
        let payment = PaymentPatch { send_tickets: Patch::Set(true), ..PaymentPatch::default() };
        let edit = OrderEdit {
            selection: Some(TicketSelection::AnyOfSets(vec![(set, 2)])),
            payment: Some(payment),
            transition,
            customer: Some(CustomerPatch {
                lang: self.lang.map_or(Patch::Keep, |lang| Patch::Set(lang.to_owned())),
                ..CustomerPatch::with_email(email.parse().unwrap())
            }),
            ..OrderEdit::default()
        };
        let command = CreateOrder { event, vendor: org, deal: None, edit };
        let order = |_: &kassa_domain::View, outcome: &kassa_domain::order::OrderOutcome| outcome.order.clone();
        engine.execute(&Actor::Partner(org), command, order).await.unwrap()
    }

    async fn event(&self, org: PartnerId) -> EventId {
        let (engine, actor) = (&self.harness.engine, Actor::Partner(org));
        let mut patch = EventPatch {
            details: EventDetailsPatch { title: Patch::Set(self.title.to_owned()), ..EventDetailsPatch::default() },
            status: Patch::Set(EventStatus::Public),
            lifetime: Patch::Set(Window { start: EVENING, finish: Some(EVENING.plus_minutes(180)) }),
            ..EventPatch::default()
        };
        if let Some((name, address)) = self.venue {
            let (name, address) = (Patch::Set(name.to_owned()), Patch::Set(address.to_owned()));
            let profile = VenueProfilePatch { address, ..VenueProfilePatch::default() };
            let venue = VenuePatch { name, profile, city: Patch::Set(CITY), ..VenuePatch::default() };
            let command = CreateVenue { owner: org, patch: venue };
            let venue = engine.execute(&actor, command, |_, venue| venue.id).await.unwrap();
            patch.venue = Patch::Set(venue);
            if let Some(sectors) = &self.map {
                let (name, sectors) = ("Great hall".to_owned(), sectors.clone());
                let command = CreateHallMap { venue, name, desc: None, sectors };
                patch.hall_map = Patch::Set(engine.execute(&actor, command, |_, map| map.id).await.unwrap());
            }
        }
        engine.execute(&actor, CreateEvent { organizer: org, patch }, |_, event| event.id).await.unwrap()
    }

    async fn set(&self, org: PartnerId, event: EventId) -> SetId {
        let command = CreateSet {
            name: self.set.to_owned(),
            sector: self.seats.map_or_else(String::new, |(sector, _)| sector.to_owned()),
            amount: 5,
            seats: self.seats.map(|(_, seats)| SeatingJson::from_json(seats).seating()),
            price: Some(Money::from_minor(2_500)),
            ..CreateSet::empty(event)
        };
        self.harness.engine.execute(&Actor::Partner(org), command, |_, set| set.id).await.unwrap()
    }
}
