//! Sums of sales as v2 shows them.

use std::collections::BTreeMap;

use kassa_domain::View;
use kassa_domain::event::{Event, EventId};
use kassa_domain::partner::PartnerId;
use kassa_domain::sales::SalesSums;
use kassa_domain::set::{SetId, TicketSet};
use kassa_engine::order_index::OrderIndexState;
use kassa_store::queries::GroupedSales;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::{EventRef, IdRef, MoneyBody, PartnerRef, SetRef};

/// What was found.
pub(super) struct SalesRows<'a> {
    pub(super) total: SalesSums,
    pub(super) is_cut: bool,
    pub(super) rows: &'a [GroupedSales],
}

/// Sums over paid orders.
#[derive(Serialize, ToSchema)]
#[schema(as = SalesSums)]
struct SalesSumsBody {
    /// Orders that have tickets; of a set, 0: an order may have tickets of several.
    #[schema(example = 12)]
    orders: i64,
    /// Tickets that these orders have.
    #[schema(example = 31)]
    tickets: i64,
    /// What the customers paid for them.
    full: MoneyBody,
    /// Of that, the organizer's share.
    organizer: MoneyBody,
    /// The agent's, where somebody else than the organizer sold.
    agent: MoneyBody,
    /// The platform's.
    platform: MoneyBody,
    /// What was kept of tickets that were given back, which is in none of the other sums; of a set, 0.
    retained: MoneyBody,
}

impl From<SalesSums> for SalesSumsBody {
    fn from(sums: SalesSums) -> Self {
        Self {
            orders: sums.orders,
            tickets: sums.tickets,
            full: MoneyBody(sums.full),
            organizer: MoneyBody(sums.organizer),
            agent: MoneyBody(sums.agent),
            platform: MoneyBody(sums.platform),
            retained: MoneyBody(sums.retained),
        }
    }
}

/// Sums of what belongs together.
#[derive(Serialize, ToSchema)]
#[schema(as = SalesGroup)]
struct SalesGroupBody {
    /// The event; `null` unless sums are told apart by it or by set.
    event: Option<EventRef>,
    /// The set; `null` unless sums are told apart by it.
    set: Option<SetRef>,
    /// Who sold; `null` unless sums are told apart by it.
    vendor: Option<PartnerRef>,
    /// The day in UTC, or the month; `null` unless sums are told apart by one of them.
    #[schema(example = "2026-11-24")]
    date: Option<String>,
    /// The sums.
    sums: SalesSumsBody,
}

impl From<&GroupedSales> for SalesGroupBody {
    fn from(found: &GroupedSales) -> Self {
        let date = found.day.map(|day| {
            let mut text = day.to_string();
            // The day 0 is a whole month.
            if text.ends_with("-00") {
                text.truncate(7);
            }
            text
        });
        let (event, set, vendor) = (found.event.map(IdRef), found.set.map(IdRef), found.vendor.map(IdRef));
        Self { event, set, vendor, date, sums: found.sums.into() }
    }
}

/// Where the tickets of a set are now.
#[derive(Serialize, ToSchema)]
#[schema(as = SetInventory)]
struct SetInventoryBody {
    /// The set.
    set: SetRef,
    /// All its tickets.
    #[schema(example = 100)]
    amount: i64,
    /// Those that can be had.
    #[schema(example = 61)]
    free: i64,
    /// Those that unpaid orders hold.
    #[schema(example = 4)]
    held: i64,
    /// Those that paid orders have.
    #[schema(example = 31)]
    sold: i64,
    /// Those that the organizer holds back.
    #[schema(example = 4)]
    blocked: i64,
}

impl From<&TicketSet> for SetInventoryBody {
    fn from(set: &TicketSet) -> Self {
        let counts = &set.counts;
        Self {
            set: IdRef(set.id),
            amount: counts.amount,
            free: set.available(),
            held: counts.held,
            sold: counts.sold,
            blocked: counts.blocked,
        }
    }
}

/// Names of what sums are of.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = SalesRefs)]
struct SalesRefsBody {
    /// Titles of events, by id.
    #[schema(value_type = BTreeMap<EventRef, String>)]
    events: BTreeMap<EventId, String>,
    /// Names of sets, by id.
    #[schema(value_type = BTreeMap<SetRef, String>)]
    sets: BTreeMap<SetId, String>,
    /// Names of partners, by id.
    #[schema(value_type = BTreeMap<PartnerRef, String>)]
    partners: BTreeMap<PartnerId, String>,
}

/// What was sold.
#[derive(Serialize, ToSchema)]
#[schema(as = Sales)]
pub(super) struct SalesResponse {
    /// The sums, told apart; empty if they are to be told apart by nothing.
    data: Vec<SalesGroupBody>,
    /// All of it together.
    total: SalesSumsBody,
    /// Whether there are more sums than are shown.
    is_cut: bool,
    /// Where the tickets of each set are now: of the event that is asked for, to its organizer. Else `null`.
    inventory: Option<Vec<SetInventoryBody>>,
    /// A cursor of the feed of changes: everything before it is counted, and perhaps more. `null` where
    /// nothing was counted yet.
    #[schema(example = "1200-4")]
    counted_to: Option<String>,
    /// Whether orders are counted that are older than the feed. It is so for good some minutes after the server was updated.
    is_complete: bool,
    /// Names of what the sums are of.
    refs: SalesRefsBody,
}

impl SalesResponse {
    pub(super) fn new(
        found: &SalesRows<'_>,
        state: Option<OrderIndexState>,
        organized: Option<&Event>,
        named: &View,
    ) -> Self {
        let inventory = organized.map(|event| named.sets_of(event.id));
        let is_shown = |set: &TicketSet| {
            organized.is_some_and(|event| event.id == set.event) || found.rows.iter().any(|row| row.set == Some(set.id))
        };
        let is_named = |id: EventId| {
            organized.is_some_and(|event| event.id == id) || found.rows.iter().any(|row| row.event == Some(id))
        };
        let events = named.events.rows().filter(|event| is_named(event.id));
        Self {
            data: found.rows.iter().map(SalesGroupBody::from).collect(),
            total: found.total.into(),
            is_cut: found.is_cut,
            inventory: inventory
                .map(|sets| sets.into_iter().filter(|set| !set.removed).map(SetInventoryBody::from).collect()),
            counted_to: state.map(|state| state.cursor.to_string()),
            is_complete: state.is_some_and(|state| state.is_complete),
            refs: SalesRefsBody {
                events: events.map(|event| (event.id, event.details.title.clone())).collect(),
                sets: named.sets.rows().filter(|set| is_shown(set)).map(|set| (set.id, set.name.clone())).collect(),
                partners: named.partners.rows().map(|partner| (partner.id, partner.name.clone())).collect(),
            },
        }
    }
}
