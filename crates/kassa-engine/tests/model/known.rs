//! What is there to act upon.

use std::collections::BTreeMap;

use kassa_domain::bench::{Bench, BenchId, Numbers};
use kassa_domain::event::{Event, EventId};
use kassa_domain::key::ApiKey;
use kassa_domain::order::{Order, OrderState};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{RefundRequest, RefundState};
use kassa_domain::set::{Set, SetId};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::{User, UserId};
use kassa_domain::{Actor, Id, Money};

use crate::side::Side;

/// Every row that an act can name. An act names the nth one, counted round.
pub(crate) struct Known {
    pub(crate) users: Vec<User>,
    pub(crate) partners: Vec<Partner>,
    pub(crate) events: Vec<Event>,
    pub(crate) sets: Vec<Set>,
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) benches: Vec<Bench>,
    pub(crate) orders: Vec<Order>,
    pub(crate) promocodes: Vec<Promocode>,
    pub(crate) promotions: Vec<Promotion>,
    pub(crate) refunds: Vec<RefundRequest>,
    pub(crate) keys: Vec<ApiKey>,
}

/// The nth of a list, counted round.
fn nth<T>(list: &[T], at: usize) -> Option<&T> {
    if list.is_empty() { None } else { list.get(at % list.len()) }
}

impl Known {
    pub(crate) async fn of(side: &Side) -> Self {
        Self {
            users: side.rows().await,
            partners: side.rows().await,
            events: side.rows().await,
            sets: side.rows().await,
            tickets: side.rows().await,
            benches: side.rows().await,
            orders: side.rows().await,
            promocodes: side.rows().await,
            promotions: side.rows().await,
            refunds: side.rows().await,
            keys: side.rows().await,
        }
    }

    pub(crate) fn user(&self, at: usize) -> UserId {
        nth(&self.users, at).map_or(Id::root(1), |user| user.id)
    }

    pub(crate) fn partner(&self, at: usize) -> PartnerId {
        nth(&self.partners, at).map_or(Id::root(1), |partner| partner.id)
    }

    pub(crate) fn event(&self, at: usize) -> &Event {
        nth(&self.events, at).unwrap()
    }

    pub(crate) fn set(&self, at: usize) -> &Set {
        nth(&self.sets, at).unwrap()
    }

    /// The nth set of an event, or one of another.
    pub(crate) fn set_of(&self, event: EventId, at: usize) -> &Set {
        let own: Vec<&Set> = self.sets.iter().filter(|set| set.event == event).collect();
        nth(&own, at).copied().unwrap_or_else(|| self.set(at))
    }

    /// Tickets of an event.
    pub(crate) fn tickets_of(&self, event: EventId, places: &[usize]) -> Vec<Id<Ticket>> {
        self.tickets_where(|ticket| ticket.event == event, places)
    }

    /// Tickets of a set; of any sets when there are three.
    pub(crate) fn tickets_in(&self, set: SetId, places: &[usize]) -> Vec<Id<Ticket>> {
        self.tickets_where(|ticket| ticket.set == set || places.len() == 3, places)
    }

    fn tickets_where(&self, named: impl Fn(&Ticket) -> bool, places: &[usize]) -> Vec<Id<Ticket>> {
        let own: Vec<&Ticket> = self.tickets.iter().filter(|ticket| named(ticket)).collect();
        places.iter().filter_map(|at| nth(&own, *at)).map(|ticket| ticket.id).collect()
    }

    pub(crate) fn order(&self, at: usize) -> Option<&Order> {
        nth(&self.orders, at)
    }

    pub(crate) fn promocode(&self, at: usize) -> &Promocode {
        nth(&self.promocodes, at).unwrap()
    }

    pub(crate) fn promotion(&self, at: usize) -> Option<&Promotion> {
        nth(&self.promotions, at)
    }

    pub(crate) fn refund(&self, at: usize) -> Option<&RefundRequest> {
        nth(&self.refunds, at)
    }

    pub(crate) fn key(&self, at: usize) -> Option<&ApiKey> {
        nth(&self.keys, at)
    }

    /// The organizer of an event, as the one who asks.
    pub(crate) fn organizer(&self, event: EventId) -> Actor {
        let org = self.events.iter().find(|known| known.id == event).map(|event| event.org);
        Actor::Partner(org.unwrap_or(Id::root(1)))
    }

    /// The counters of each promocode say how many orders name it.
    pub(crate) fn books_agree_with_orders(&self) {
        for promocode in &self.promocodes {
            let count = |is: fn(&Order) -> bool| {
                let orders = self.orders.iter().filter(|order| is(order) && order.promocodes.contains(&promocode.id));
                i64::try_from(orders.count()).unwrap()
            };
            let was_paid = |order: &Order| matches!(order.state(), OrderState::Done | OrderState::Refunded);
            let found = [count(Order::is_live), count(was_paid)];
            assert_eq!(found, [promocode.uses.reserved, promocode.uses.used], "{promocode:?}");
        }
    }

    /// Each ticket that is asked back is in one open request, and each order has given back what was
    /// approved.
    pub(crate) fn refunds_agree_with_orders(&self) {
        let marked = self.tickets.iter().filter_map(|ticket| Some((ticket.id, ticket.refund()?)));
        let mut marked: Vec<_> = marked.collect();
        let open = self.refunds.iter().filter(|request| request.is_open());
        let mut asked: Vec<_> =
            open.flat_map(|request| request.lines.iter().map(|line| (line.line.ticket, request.id))).collect();
        marked.sort_unstable();
        asked.sort_unstable();
        assert_eq!(marked, asked);
        for order in &self.orders {
            let approved =
                |request: &&RefundRequest| request.order == order.id && request.state() == RefundState::Approved;
            let back: Money = self.refunds.iter().filter(approved).map(|request| request.back().value()).sum();
            assert_eq!(order.refunded.back, back, "{order:?}");
        }
    }

    /// Each bench says how many chairs it has, and which of them are vacant.
    pub(crate) fn benches_agree_with_tickets(&self) {
        let mut recount: BTreeMap<BenchId, (u32, Numbers)> = BTreeMap::new();
        for ticket in &self.tickets {
            let Some(seat) = ticket.seat.as_deref() else { continue };
            let (chairs, vacant) = recount.entry(seat.bench).or_default();
            *chairs += 1;
            if ticket.state == TicketState::Vacant {
                vacant.insert(seat.number);
            }
        }
        let benches = self.benches.iter().map(|bench| (bench.id, (bench.chairs, bench.vacant.clone())));
        assert_eq!(benches.collect::<BTreeMap<_, _>>(), recount);
    }

    /// The counters of each set say where its tickets are.
    pub(crate) fn books_agree_with_tickets(&self) {
        for set in &self.sets {
            let count = |is: fn(&TicketState) -> bool| {
                i64::try_from(self.tickets.iter().filter(|t| t.set == set.id && is(&t.state)).count()).unwrap()
            };
            let found = [
                count(|state| matches!(state, TicketState::Vacant)),
                count(|state| matches!(state, TicketState::Held { .. })),
                count(|state| matches!(state, TicketState::Sold { .. })),
                count(|state| matches!(state, TicketState::Blocked)),
            ];
            if let Some(seats) = &set.seats {
                let own = self.tickets.iter().filter(|ticket| ticket.set == set.id);
                let mut chairs: Vec<_> = own.filter_map(|ticket| ticket.seat.as_deref()).collect();
                chairs.sort_unstable_by_key(|seat| (&seat.row, seat.number));
                assert!(seats.made().seats().eq(chairs.iter().map(|seat| (&seat.row, seat.number))), "{set:?}");
            }
            let counts = &set.counts;
            assert_eq!(found, [counts.vacant, counts.held, counts.sold, counts.blocked], "{set:?}");
        }
    }
}
