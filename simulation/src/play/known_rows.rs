//! What is there to act upon.

use kassa_domain::api_key::ApiKey;
use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventId};
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::payment::OrderPayment;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::User;
use kassa_domain::view::Row;
use kassa_domain::{Actor, Id};
use kassa_engine::Failure;

use super::action_result::ActionReport;
use super::server::SimServer;

/// Rows that an act can name. An act names the nth one, counted round.
#[derive(Clone, Debug, Default)]
pub struct KnownRows {
    /// Users.
    pub users: Vec<User>,
    /// Partners.
    pub partners: Vec<Partner>,
    /// Keys of partners.
    pub keys: Vec<ApiKey>,
    /// Events.
    pub events: Vec<Event>,
    /// Their sets.
    pub sets: Vec<TicketSet>,
    /// The tickets of these.
    pub tickets: Vec<Ticket>,
    /// Orders.
    pub orders: Vec<Order>,
    /// Promocodes.
    pub promocodes: Vec<Promocode>,
    /// Promotions.
    pub promotions: Vec<Promotion>,
    /// Deals.
    pub deals: Vec<Deal>,
    /// Refund requests.
    pub refunds: Vec<RefundRequest>,
    /// Payments of orders.
    pub payments: Vec<OrderPayment>,
}

/// The nth of a list, counted round.
fn nth<T>(list: &[T], at: usize) -> Option<&T> {
    if list.is_empty() { None } else { list.get(at % list.len()) }
}

/// Puts a row in the place of its old form, or behind the others.
fn upsert<R: Row + Clone>(list: &mut Vec<R>, row: &R) {
    match list.iter_mut().rfind(|old| old.key() == row.key()) {
        Some(old) => old.clone_from(row),
        None => list.push(row.clone()),
    }
}

impl KnownRows {
    /// All that a server has.
    pub async fn load_all(server: &SimServer) -> Result<Self, Failure> {
        Ok(Self {
            users: server.rows().await?,
            partners: server.rows().await?,
            keys: server.rows().await?,
            events: server.rows().await?,
            sets: server.rows().await?,
            tickets: server.rows().await?,
            orders: server.rows().await?,
            promocodes: server.rows().await?,
            promotions: server.rows().await?,
            deals: server.rows().await?,
            refunds: server.rows().await?,
            payments: server.rows().await?,
        })
    }

    /// Forgets all events, and what hangs on them.
    pub fn forget_events(&mut self) {
        let Self { users, partners, keys, .. } = std::mem::take(self);
        *self = Self { users, partners, keys, ..Self::default() };
    }

    /// Learns what an answer shows.
    pub fn learn(&mut self, report: &ActionReport) {
        match report {
            ActionReport::Nothing
            | ActionReport::Looked(_)
            | ActionReport::Expired(_)
            | ActionReport::ExpiredOne(..)
            | ActionReport::Mails(_)
            | ActionReport::Replayed(_) => {}
            ActionReport::User(user) => upsert(&mut self.users, user),
            ActionReport::Partner(partner) => upsert(&mut self.partners, partner),
            ActionReport::Key(key) => upsert(&mut self.keys, key),
            ActionReport::Event(event, sets) => {
                upsert(&mut self.events, event);
                for set in sets {
                    upsert(&mut self.sets, set);
                }
            }
            ActionReport::Set(set) => upsert(&mut self.sets, set),
            ActionReport::Promocode(promocode) => upsert(&mut self.promocodes, promocode),
            ActionReport::Promotion(promotion) => upsert(&mut self.promotions, promotion),
            ActionReport::Deal(deal) => upsert(&mut self.deals, deal),
            ActionReport::Order(outcome) => self.learn_order(&outcome.order),
            ActionReport::Refund(request) => upsert(&mut self.refunds, request),
            ActionReport::Payment(order, payment) => {
                self.learn_order(order);
                if let Some(payment) = payment {
                    upsert(&mut self.payments, payment);
                }
            }
        }
    }

    /// Learns how an order is now.
    pub fn learn_order(&mut self, order: &Order) {
        upsert(&mut self.orders, order);
    }

    /// Learns how a payment is now, if its event is known.
    pub fn learn_payment(&mut self, payment: &OrderPayment) {
        if self.events.iter().any(|event| event.id == payment.event) {
            upsert(&mut self.payments, payment);
        }
    }

    /// Learns which tickets an event has.
    pub fn learn_tickets(&mut self, event: EventId, tickets: Vec<Ticket>) {
        self.tickets.retain(|ticket| ticket.event != event);
        self.tickets.extend(tickets);
    }

    /// A user.
    pub fn user(&self, at: usize) -> Option<&User> {
        nth(&self.users, at)
    }

    /// A partner.
    pub fn partner(&self, at: usize) -> Option<PartnerId> {
        nth(&self.partners, at).map(|partner| partner.id)
    }

    /// An event.
    pub fn event(&self, at: usize) -> Option<&Event> {
        nth(&self.events, at)
    }

    /// A set.
    pub fn set(&self, at: usize) -> Option<&TicketSet> {
        nth(&self.sets, at)
    }

    /// The nth set of an event, or one of another.
    pub fn set_of(&self, event: EventId, at: usize) -> Option<&TicketSet> {
        let own: Vec<&TicketSet> = self.sets.iter().filter(|set| set.event == event).collect();
        nth(&own, at).copied().or_else(|| self.set(at))
    }

    /// The nth set of an event, if one is wanted, as a list of sets that a discount is for.
    pub fn set_list(&self, event: EventId, at: Option<usize>) -> Vec<SetId> {
        at.and_then(|at| self.set_of(event, at)).map(|set| set.id).into_iter().collect()
    }

    /// Tickets of an event.
    pub fn tickets_of(&self, event: EventId, places: &[usize]) -> Vec<TicketId> {
        self.tickets_where(|ticket| ticket.event == event, places)
    }

    /// Tickets of a set; of any sets when there are three.
    pub fn tickets_in(&self, set: SetId, places: &[usize]) -> Vec<TicketId> {
        self.tickets_where(|ticket| ticket.set == set || places.len() == 3, places)
    }

    fn tickets_where(&self, named: impl Fn(&Ticket) -> bool, places: &[usize]) -> Vec<TicketId> {
        let own: Vec<&Ticket> = self.tickets.iter().filter(|ticket| named(ticket)).collect();
        places.iter().filter_map(|at| nth(&own, *at)).map(|ticket| ticket.id).collect()
    }

    /// An order.
    pub fn order(&self, at: usize) -> Option<&Order> {
        nth(&self.orders, at)
    }

    /// An order that somebody can pay for, if there is one.
    pub fn order_to_pay(&self, at: usize) -> Option<&Order> {
        let can_pay = |order: &&Order| order.is_live() && !order.lines.is_empty() && order.customer.email.is_some();
        let payable: Vec<&Order> = self.orders.iter().filter(can_pay).collect();
        nth(&payable, at).copied().or_else(|| self.order(at))
    }

    /// An order, by its id.
    pub fn order_by_id(&self, id: OrderId) -> Option<&Order> {
        self.orders.iter().rfind(|order| order.id == id)
    }

    /// A promocode.
    pub fn promocode(&self, at: usize) -> Option<&Promocode> {
        nth(&self.promocodes, at)
    }

    /// A promotion.
    pub fn promotion(&self, at: usize) -> Option<&Promotion> {
        nth(&self.promotions, at)
    }

    /// A deal.
    pub fn deal(&self, at: usize) -> Option<&Deal> {
        nth(&self.deals, at)
    }

    /// A refund request.
    pub fn refund(&self, at: usize) -> Option<&RefundRequest> {
        nth(&self.refunds, at)
    }

    /// A payment.
    pub fn payment(&self, at: usize) -> Option<&OrderPayment> {
        nth(&self.payments, at)
    }

    /// A key.
    pub fn key(&self, at: usize) -> Option<&ApiKey> {
        nth(&self.keys, at)
    }

    /// The organizer of an event, as the one who asks.
    pub fn organizer(&self, event: EventId) -> Actor {
        let org = self.events.iter().find(|known| known.id == event).map(|event| event.organizer);
        Actor::Partner(org.unwrap_or(Id::root(1)))
    }
}

impl KnownRows {
    /// What is known and not there any more, or older there, in words.
    pub fn missing_from(&self, stored: &Self) -> Option<String> {
        macro_rules! lost {
            ($($field:ident,)*) => {
                $(for row in &self.$field {
                    let found = stored.$field.binary_search_by(|found| found.id.cmp(&row.id)).map(|at| &stored.$field[at]);
                    if found.is_ok_and(|found| found.revision >= row.revision) {
                        continue;
                    }
                    return Some(format!("{row:?} {found:?}"));
                })*
            };
        }
        lost!(users, partners, keys, events, sets, promocodes, promotions, deals, refunds, payments,);
        None
    }
}
