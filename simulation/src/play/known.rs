//! What is there to act upon.

use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventId};
use kassa_domain::key::ApiKey;
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{Set, SetId};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::User;
use kassa_domain::view::Row;
use kassa_domain::{Actor, Id};
use kassa_engine::Failure;

use super::answer::Report;
use super::server::Server;

/// Rows that an act can name. An act names the nth one, counted round.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Users.
    pub users: Vec<User>,
    /// Partners.
    pub partners: Vec<Partner>,
    /// Keys of partners.
    pub keys: Vec<ApiKey>,
    /// Events.
    pub events: Vec<Event>,
    /// Their sets.
    pub sets: Vec<Set>,
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
}

/// The nth of a list, counted round.
fn nth<T>(list: &[T], at: usize) -> Option<&T> {
    if list.is_empty() { None } else { list.get(at % list.len()) }
}

/// Puts a row in the place of its old form, or behind the others.
fn put<R: Row + Clone>(list: &mut Vec<R>, row: &R) {
    match list.iter_mut().rfind(|old| old.key() == row.key()) {
        Some(old) => old.clone_from(row),
        None => list.push(row.clone()),
    }
}

impl Known {
    /// All that a server has.
    pub async fn all_of(server: &Server) -> Result<Self, Failure> {
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
        })
    }

    /// Forgets all events, and what hangs on them.
    pub fn forget_events(&mut self) {
        let Self { users, partners, keys, .. } = std::mem::take(self);
        *self = Self { users, partners, keys, ..Self::default() };
    }

    /// Learns what an answer shows.
    pub fn learn(&mut self, report: &Report) {
        match report {
            Report::Nothing | Report::Expired(_) | Report::ExpiredOne(..) | Report::Mails(_) => {}
            Report::User(user) => put(&mut self.users, user),
            Report::Partner(partner) => put(&mut self.partners, partner),
            Report::Key(key) => put(&mut self.keys, key),
            Report::Event(event, sets) => {
                put(&mut self.events, event);
                for set in sets {
                    put(&mut self.sets, set);
                }
            }
            Report::Set(set) => put(&mut self.sets, set),
            Report::Promocode(promocode) => put(&mut self.promocodes, promocode),
            Report::Promotion(promotion) => put(&mut self.promotions, promotion),
            Report::Deal(deal) => put(&mut self.deals, deal),
            Report::Order(outcome) => self.learn_order(&outcome.order),
            Report::Refund(request) => put(&mut self.refunds, request),
        }
    }

    /// Learns how an order is now.
    pub fn learn_order(&mut self, order: &Order) {
        put(&mut self.orders, order);
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
    pub fn set(&self, at: usize) -> Option<&Set> {
        nth(&self.sets, at)
    }

    /// The nth set of an event, or one of another.
    pub fn set_of(&self, event: EventId, at: usize) -> Option<&Set> {
        let own: Vec<&Set> = self.sets.iter().filter(|set| set.event == event).collect();
        nth(&own, at).copied().or_else(|| self.set(at))
    }

    /// The nth set of an event, if one is wanted, as a list of sets that a discount is for.
    pub fn one_set(&self, event: EventId, at: Option<usize>) -> Vec<SetId> {
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

    /// A key.
    pub fn key(&self, at: usize) -> Option<&ApiKey> {
        nth(&self.keys, at)
    }

    /// The organizer of an event, as the one who asks.
    pub fn organizer(&self, event: EventId) -> Actor {
        let org = self.events.iter().find(|known| known.id == event).map(|event| event.org);
        Actor::Partner(org.unwrap_or(Id::root(1)))
    }
}

impl Known {
    /// What is known and not there any more, or older there, in words.
    pub fn lost(&self, stored: &Self) -> Option<String> {
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
        lost!(users, partners, keys, events, sets, promocodes, promotions, deals, refunds,);
        None
    }
}
