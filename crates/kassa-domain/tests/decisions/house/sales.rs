//! Orders of the house.

use kassa_domain::deal::{CreateDeal, Deal, DealStatus, ProposedTerms};
use kassa_domain::order::{CreateOrder, CustomerPatch, ExpireOrder, Order, OrderEdit, OrderId};
use kassa_domain::order::{OrderOutcome, OrderStatusKind, OrderTransition, PaymentPatch, PaymentSystem};
use kassa_domain::order::{TicketSelection, UpdateOrder};
use kassa_domain::partner::PartnerId;
use kassa_domain::price::Share;
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_domain::refusal::Shortfall;
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Actor, Id, Patch, Percent, Refusal};

use super::House;

impl House {
    /// A new order of the organizer.
    pub(crate) fn try_order(&mut self, edit: OrderEdit) -> Result<OrderOutcome, Refusal> {
        let command = CreateOrder { event: self.event, vendor: self.org, deal: None, edit };
        self.give(&self.organizer(), &command)
    }

    /// A new order that holds `count` tickets of a set.
    pub(crate) fn order(&mut self, set: SetId, count: u32) -> OrderId {
        let outcome = self.try_order(random(&[(set, count)])).expect("an order is made");
        assert_eq!(outcome.shortfalls, [], "all is to be had");
        outcome.order.id
    }

    /// A new order for one ticket of a set, led to a state.
    pub(crate) fn order_in(&mut self, state: OrderStatusKind, set: SetId) -> OrderId {
        let order = self.order(set, 1);
        match state {
            OrderStatusKind::Reserved => {}
            OrderStatusKind::AwaitingPayment => {
                self.step(order, OrderTransition::AwaitingPayment).map(drop).expect("it begins");
            }
            OrderStatusKind::Paid => self.step(order, OrderTransition::Paid).map(drop).expect("it is done"),
            OrderStatusKind::Canceled => self.step(order, OrderTransition::Canceled).map(drop).expect("it is canceled"),
            OrderStatusKind::Expired => self.lapse(order),
            OrderStatusKind::Refunded => self.give_all_back(order),
        }
        assert_eq!(self.state(order), state);
        order
    }

    /// Pays an order and gives all its tickets back.
    pub(crate) fn give_all_back(&mut self, order: OrderId) {
        self.step(order, OrderTransition::Paid).expect("it is done");
        let request = self.ask_for_all(order, Culprit::Organizer);
        self.decide_on(request, RefundTransition::Approved).expect("it is approved");
    }

    /// An agent that sells the event: the organizer gets so many percents of the price, and the agent adds
    /// so many.
    pub(crate) fn agent_at(&mut self, org: i64, extra: i64) -> PartnerId {
        let [org, extra] = [org, extra].map(|percent| Share::Percent(Percent::from_percent(percent)));
        self.agent_under(ProposedTerms { organizer_share: org, markup: extra, platform_fee_on_top: false })
    }

    pub(crate) fn agent_under(&mut self, terms: ProposedTerms) -> PartnerId {
        let (event, by, obj, agent) = (self.event, self.org, self.org, self.partner());
        let command =
            CreateDeal { event, proposer: by, agent: Some(agent), organizer: obj, terms, message: String::new() };
        self.give(&self.organizer(), &command).expect("a deal is made");
        agent
    }

    /// An order of an agent, which is paid.
    pub(crate) fn sell_as(&mut self, vendor: PartnerId, edit: OrderEdit) -> OrderId {
        let seller = Actor::Partner(vendor);
        let command = CreateOrder { event: self.event, vendor, deal: None, edit };
        let order = self.give(&seller, &command).expect("an order is made").order.id;
        self.edit_as(&seller, order, steps(OrderTransition::Paid)).expect("it is done");
        order
    }

    /// A change to an order by a caller, as the engine sends it: with its promocodes, and with the lines of
    /// an expired one.
    pub(crate) fn edit_as(&mut self, actor: &Actor, order: OrderId, edit: OrderEdit) -> Result<OrderOutcome, Refusal> {
        let command = self.update_of(order, edit);
        self.give(actor, &command)
    }

    pub(crate) fn update_of(&self, order: OrderId, edit: OrderEdit) -> UpdateOrder {
        let row = self.found(order);
        let expired_lines = (row.state() == OrderStatusKind::Expired).then(|| row.lines.clone());
        let promocodes = row.promocodes.clone();
        UpdateOrder { order, event: row.event, deal: row.deal, expired_lines, promocodes, edit }
    }

    /// Makes an order one that an agent has sold, under the terms that it has.
    pub(crate) fn hand_over(&mut self, order: OrderId, agent: PartnerId) {
        let order = self.found(order).clone();
        let deal = Deal {
            id: Id::with_tag(order.event.tag(), agent.key()),
            event: order.event,
            agent,
            organizer: order.organizer,
            status: DealStatus::Accepted,
            proposed_by_agent: false,
            message: String::new(),
            terms: order.terms,
            created_at: order.created_at,
            updated_at: order.created_at,
            revision: 1,
        };
        self.arrange(|view| {
            view.orders.put(Order { vendor: agent, deal: Some(deal.id), ..order });
            view.deals.put(deal);
        });
    }

    /// A change to an order by the organizer.
    pub(crate) fn edit(&mut self, order: OrderId, edit: OrderEdit) -> Result<OrderOutcome, Refusal> {
        self.edit_as(&self.organizer(), order, edit)
    }

    pub(crate) fn step(&mut self, order: OrderId, step: OrderTransition) -> Result<OrderOutcome, Refusal> {
        self.edit(order, steps(step))
    }

    /// What a wish leaves unfilled.
    pub(crate) fn shortfall(&mut self, order: OrderId, edit: OrderEdit) -> Vec<Shortfall> {
        self.edit(order, edit).expect("the wish is heard").shortfalls
    }

    pub(crate) fn expire(&mut self, order: OrderId) -> bool {
        let row = self.found(order);
        let command = ExpireOrder { order, event: row.event, promocodes: row.promocodes.clone() };
        self.give(&Actor::System, &command).expect("expiry is never refused")
    }

    /// Lets a hold end, and moves the clock to that moment.
    pub(crate) fn lapse(&mut self, order: OrderId) {
        self.now = self.now.max(self.found(order).reserved_till);
        assert!(self.expire(order), "the hold ends");
    }

    pub(crate) fn found(&self, order: OrderId) -> &Order {
        self.view.orders.get(order).expect("the order is there")
    }

    pub(crate) fn state(&self, order: OrderId) -> OrderStatusKind {
        self.found(order).state()
    }

    /// The tickets in an order's lines.
    pub(crate) fn lines(&self, order: OrderId) -> Vec<TicketId> {
        self.found(order).lines.iter().map(|line| line.ticket).collect()
    }
}

/// A customer with this e-mail.
pub(crate) fn customer(email: &str) -> OrderEdit {
    let customer = Some(CustomerPatch::with_email(email.parse().expect("an e-mail")));
    OrderEdit { customer, ..OrderEdit::default() }
}

/// These promocodes.
pub(crate) fn codes(codes: &[&str]) -> OrderEdit {
    let codes = codes.iter().map(|code| code.parse().expect("a code")).collect();
    OrderEdit { promocodes: Some(codes), ..OrderEdit::default() }
}

/// So many of each set.
pub(crate) fn random(sets: &[(SetId, u32)]) -> OrderEdit {
    OrderEdit { selection: Some(TicketSelection::AnyOfSets(sets.to_vec())), ..OrderEdit::default() }
}

/// These tickets.
pub(crate) fn tickets(tickets: &[TicketId]) -> OrderEdit {
    OrderEdit { selection: Some(TicketSelection::Tickets(tickets.to_vec())), ..OrderEdit::default() }
}

pub(crate) fn steps(step: OrderTransition) -> OrderEdit {
    OrderEdit { transition: Some(step), ..OrderEdit::default() }
}

pub(crate) fn pays_by(system: PaymentSystem) -> OrderEdit {
    let payment = PaymentPatch { system: Patch::Set(system), ..PaymentPatch::default() };
    OrderEdit { payment: Some(payment), ..OrderEdit::default() }
}
