//! How each act is given to an engine.
#![expect(clippy::expect_used, reason = "what is written here is well-formed")]

use std::any::Any;
use std::sync::Arc;

use kassa_domain::deal::{CreateDeal, Deal, UpdateDeal, WantedTerms};
use kassa_domain::event::{CreateEvent, Event, EventId, EventPatch, UpdateEvent};
use kassa_domain::key::{CreateKey, UpdateKey};
use kassa_domain::order::{
    CreateOrder, CustomerPatch, ExpireOrder, Order, OrderEdit, OrderOutcome, PaymentPatch, PaymentSystem, Step,
    Unusable, Wanted,
};
use kassa_domain::partner::{CreatePartner, Partner, PartnerPatch, UpdatePartner};
use kassa_domain::price::Share;
use kassa_domain::promocode::{Code, CreatePromocode, LifetimePatch, Promocode, TicketsCount, UpdatePromocode};
use kassa_domain::promotion::{
    CreatePromotion, Kind, Measure, Promotion, RemovePromotion, UpdatePromotion, WantedLevel, WantedValue,
};
use kassa_domain::refund::{PolicyPatch, RefundOf, RefundRequest};
use kassa_domain::seating::Seating;
use kassa_domain::session::{EndSession, StartSession};
use kassa_domain::set::{CreateSet, Set, SetId, UpdateSet};
use kassa_domain::user::{ConfirmEmail, Email, RegisterUser, User};
use kassa_domain::{Actor, Command, Money, Patch, Percent, View, Window};
use kassa_engine::refunds::RefundWish;
use kassa_engine::{Asker, Clock, Conditions};

use super::acts::{
    AccountAct, Act, ChangeAct, Codes, DealAct, EventAct, PromocodeAct, PromotionAct, RefundAct, SetAct, Wish,
};
use super::answer::{Answer, Report};
use super::known::Known;
use super::server::Server;

const MINUTE_MS: i64 = 60_000;

/// Who gives acts to a server: what they name is the nth of what is known.
pub struct Player<'a> {
    /// To whom.
    pub server: &'a Server,
    /// What is there to act upon.
    pub known: &'a Known,
    /// Somebody else than whose business it is, who tries it.
    pub stranger: Option<&'a Actor>,
    /// What the caller calls its request: asked for again under the same key, an order is made once.
    pub key: Option<String>,
}

impl<'a> Player<'a> {
    /// Those whose business it is, without a key.
    pub fn new(server: &'a Server, known: &'a Known) -> Self {
        Self { server, known, stranger: None, key: None }
    }
}

impl Player<'_> {
    /// Performs an act.
    pub async fn perform(&self, act: &Act) -> Answer {
        let Server { engine, clock, post } = self.server;
        match act {
            Act::Wait { minutes } => {
                clock.advance_ms(minutes * MINUTE_MS);
                Ok(Report::Nothing)
            }
            Act::Expire => engine.expire_due().await.map(Report::Expired),
            Act::ExpireOne { order } => match self.known.order(*order) {
                Some(order) => {
                    let Order { id, event, promocodes, .. } = order.clone();
                    let ended = engine.execute(&Actor::System, ExpireOrder { order: id, event, promocodes }, |_, o| *o);
                    ended.await.map(|ended| Report::ExpiredOne(id, ended))
                }
                None => Ok(Report::Nothing),
            },
            Act::RunJobs => engine.run_jobs().await.map(|()| Report::Nothing),
            Act::SendMails => engine.send_due_mails(post).await.map(Report::Mails),
            Act::Account(act) => self.account(act).await,
            Act::Event(act) => self.event(act).await,
            Act::Set { set, act } => self.set(*set, act).await,
            Act::Promocode(act) => self.promocode(act).await,
            Act::Promotion(act) => self.promotion(act).await,
            Act::Refund(act) => self.refund(act).await,
            Act::Deal(act) => self.deal(act).await,
            Act::Sale { event, agent, wish, codes, email } => {
                self.sale(*event, *agent, (wish, codes.as_ref()), *email).await
            }
            Act::Change { order, act } => match self.known.order(*order) {
                Some(order) => self.change(order, act).await,
                None => Ok(Report::Nothing),
            },
        }
    }

    /// Who asks, unless a stranger does.
    fn caller(&self, own: Actor) -> Actor {
        self.stranger.cloned().unwrap_or(own)
    }

    /// The caller, on the condition that what it asks for under its key is done once.
    fn asker(&self, actor: Actor, event: EventId) -> Asker {
        let once = self.key.as_ref().and_then(|key| {
            self.server.engine.once(&actor, (Some(event.tag()), key), &[b"a sale"], (true, answer_bytes))
        });
        let conditions = once.map(|once| Conditions { once: Some(Arc::new(once)), expects: None });
        Asker::new(actor, conditions.map(Arc::new))
    }

    async fn give<C: Command>(&self, own: Actor, command: C, report: fn(&C::Outcome) -> Report) -> Answer {
        self.server.engine.execute(&self.caller(own), command, move |_, outcome| report(outcome)).await
    }

    async fn account(&self, act: &AccountAct) -> Answer {
        let (boss, known) = (Actor::Operator, self.known);
        match act {
            AccountAct::Register { email } => {
                let password = format!("hash {email}");
                let command = RegisterUser { email: address(*email), password, first_name: None, last_name: None };
                self.give(Actor::Anonymous, command, user_report).await
            }
            AccountAct::Confirm { user } => {
                let Some(user) = known.user(*user) else { return Ok(Report::Nothing) };
                let command = ConfirmEmail { user: user.id, email: user.email.clone(), password: None };
                self.give(boss, command, user_report).await
            }
            AccountAct::CreatePartner { user } => {
                let Some(manager) = known.user(*user).map(|user| user.id) else { return Ok(Report::Nothing) };
                let patch = PartnerPatch { name: Patch::Set("Partner".to_owned()), ..PartnerPatch::default() };
                self.give(boss, CreatePartner { manager, patch }, partner_report).await
            }
            AccountAct::Managers { partner, users } => {
                let Some(partner) = known.partner(*partner) else { return Ok(Report::Nothing) };
                let users = Some(users.iter().filter_map(|user| Some(known.user(*user)?.id)).collect());
                let command = UpdatePartner { partner, patch: PartnerPatch::default(), users };
                self.give(boss, command, partner_report).await
            }
            AccountAct::CreateKey { partner } => {
                let Some(partner) = known.partner(*partner) else { return Ok(Report::Nothing) };
                // The house makes hashes that nobody has.
                let random = self.server.engine.random_hex(16).into_bytes();
                let hash = std::array::from_fn(|at| random[at]);
                let command = CreateKey { partner, name: String::new(), hash, sealed: vec![1] };
                self.give(boss, command, |key| Report::Key(key.clone())).await
            }
            AccountAct::RemoveKey { key } => {
                let Some(key) = known.key(*key) else { return Ok(Report::Nothing) };
                let command = UpdateKey { partner: key.partner, key: key.id, name: None, remove: true };
                self.give(boss, command, |key| Report::Key(key.clone())).await
            }
            AccountAct::LogIn { user, hash } => {
                let Some(user) = known.user(*user) else { return Ok(Report::Nothing) };
                let password = user.password().unwrap_or("none").to_owned();
                let log_in = StartSession { user: user.id, password, hash: [*hash; 32] };
                self.give(Actor::System, EndSession { hash: [*hash; 32] }, |()| Report::Nothing).await?;
                self.give(Actor::System, log_in, user_report).await
            }
            AccountAct::LogOut { hash } => {
                self.give(Actor::System, EndSession { hash: [*hash; 32] }, |()| Report::Nothing).await
            }
        }
    }

    async fn event(&self, act: &EventAct) -> Answer {
        if let EventAct::Create { partner } = act {
            let Some(org) = self.known.partner(*partner) else { return Ok(Report::Nothing) };
            let patch = EventPatch { tickets_limit: Patch::Set(6), ..EventPatch::default() };
            let report = |event: &Event| Report::Event(Box::new(event.clone()), Vec::new());
            return self.give(Actor::Partner(org), CreateEvent { org, patch }, report).await;
        }
        let Some(&Event { id, org, .. }) = self.known.event(act.event()) else { return Ok(Report::Nothing) };
        let owner = Actor::Partner(org);
        let new_set = |price: &i64| new_set(id, *price);
        let patch = match act {
            EventAct::AddSet { amount, price, .. } => {
                return self.give(owner, CreateSet { amount: *amount, ..new_set(price) }, set_report).await;
            }
            EventAct::AddHall { chairs, price, .. } => {
                let command = CreateSet { seats: Some(seating(*chairs)), ..new_set(price) };
                return self.give(owner, command, set_report).await;
            }
            EventAct::Status { status, .. } => EventPatch { status: Patch::Set(*status), ..EventPatch::default() },
            EventAct::Lifetime { minutes, .. } => {
                let start = self.server.clock.now();
                let window = Window { start, finish: Some(start.plus_ms(minutes * MINUTE_MS)) };
                EventPatch { lifetime: Patch::Set(window), ..EventPatch::default() }
            }
            EventAct::Policy { kept, days_before, after_start, .. } => {
                let policy = PolicyPatch {
                    kept: Patch::Set(Percent::from_units(kept * 10_000)),
                    days_before: Patch::Set(*days_before),
                    after_start: Patch::Set(*after_start),
                };
                EventPatch { refund_policy: Patch::Set(policy), ..EventPatch::default() }
            }
            EventAct::Remove { .. } | EventAct::Create { .. } => UpdateEvent::remove(id).patch,
        };
        let report = |(event, sets): &(Event, Vec<Set>)| Report::Event(Box::new(event.clone()), sets.clone());
        self.give(owner, UpdateEvent { event: id, patch }, report).await
    }

    async fn set(&self, set: usize, act: &SetAct) -> Answer {
        let Some(set) = self.known.set(set) else { return Ok(Report::Nothing) };
        let actor = self.caller(self.known.organizer(set.event));
        let same = UpdateSet {
            event: set.event,
            set: set.id,
            name: Patch::Keep,
            desc: Patch::Keep,
            sector: Patch::Keep,
            pos: Patch::Keep,
            amount: None,
            amount_seen: 0,
            seats: Patch::Keep,
            chairs_seen: Vec::new(),
            price: None,
            rules: None,
            blocked: None,
        };
        let engine = &self.server.engine;
        let command = match act {
            SetAct::Resize { amount } => UpdateSet { amount: Some(*amount), ..same },
            SetAct::Reseat { chairs } => UpdateSet { seats: Patch::Set(seating(*chairs)), ..same },
            SetAct::Reprice { price } => UpdateSet { price: Some(Money::from_minor(*price)), ..same },
            SetAct::Block { places } => UpdateSet { blocked: Some(self.known.tickets_in(set.id, places)), ..same },
            SetAct::Remove => {
                return engine.remove_set(&actor, (set.event, set.id), |_, set| set_report(set)).await;
            }
        };
        engine.update_set(&actor, command, |_, set| set_report(set)).await
    }

    async fn promocode(&self, act: &PromocodeAct) -> Answer {
        match act {
            PromocodeAct::Create { event, code, set, percent, min, amount } => {
                let Some(&Event { id: event, org, .. }) = self.known.event(*event) else { return Ok(Report::Nothing) };
                let command = CreatePromocode {
                    event,
                    code: code_named(*code),
                    name: None,
                    desc: None,
                    sets: self.known.one_set(event, *set),
                    discount: Share::Percent(Percent::from_units(percent * 10_000)),
                    tickets_count: TicketsCount { min: Some(*min), max: None },
                    lifetime: LifetimePatch::default(),
                    amount: *amount,
                };
                self.give(Actor::Partner(org), command, promocode_report).await
            }
            PromocodeAct::Amend { promocode, amount, minutes } => {
                let Some(promocode) = self.known.promocode(*promocode) else { return Ok(Report::Nothing) };
                let command = UpdatePromocode {
                    event: promocode.event,
                    promocode: promocode.id,
                    name: Patch::Keep,
                    desc: Patch::Keep,
                    amount: amount.map_or(Patch::Clear, Patch::Set),
                    lifetime: Patch::Set(self.until(*minutes)),
                };
                self.give(self.known.organizer(promocode.event), command, promocode_report).await
            }
        }
    }

    /// A lifetime that ends in so many minutes.
    fn until(&self, minutes: i64) -> LifetimePatch {
        let finish = self.server.clock.now().plus_ms(minutes * MINUTE_MS);
        LifetimePatch { start: Patch::Keep, finish: Patch::Set(finish) }
    }

    async fn promotion(&self, act: &PromotionAct) -> Answer {
        let report = |promotion: &Promotion| Report::Promotion(Box::new(promotion.clone()));
        match act {
            PromotionAct::Create { event, set, by_sum, minutes, levels } => {
                let Some(&Event { id: event, org, .. }) = self.known.event(*event) else { return Ok(Report::Nothing) };
                let command = CreatePromotion {
                    event,
                    lifetime: self.until(*minutes),
                    sets: self.known.one_set(event, *set),
                    by: if *by_sum { Measure::Sum } else { Measure::Count },
                    kind: Kind::Percentage,
                    levels: levels.iter().copied().map(level).collect(),
                };
                self.give(Actor::Partner(org), command, report).await
            }
            PromotionAct::Amend { promotion, minutes, levels } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(Report::Nothing) };
                let command = UpdatePromotion {
                    event: promotion.event,
                    promotion: promotion.id,
                    lifetime: self.until(*minutes),
                    sets: None,
                    by: None,
                    kind: None,
                    levels: levels.as_ref().map(|levels| levels.iter().copied().map(level).collect()),
                };
                self.give(self.known.organizer(promotion.event), command, report).await
            }
            PromotionAct::Remove { promotion } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(Report::Nothing) };
                let command = RemovePromotion { event: promotion.event, promotion: promotion.id };
                self.give(self.known.organizer(promotion.event), command, |()| Report::Nothing).await
            }
        }
    }

    async fn deal(&self, act: &DealAct) -> Answer {
        let report = |deal: &Deal| Report::Deal(Box::new(deal.clone()));
        match act {
            DealAct::Make { event, agent, offered, org: part, extra, pfc } => {
                let (event, agent) = (self.known.event(*event), self.known.partner(*agent));
                let (Some(&Event { id: event, org, .. }), Some(agent)) = (event, agent) else {
                    return Ok(Report::Nothing);
                };
                let percent = |percent: i64| Share::Percent(Percent::from_units(percent * 10_000));
                let command = CreateDeal {
                    event,
                    by: if *offered { org } else { agent },
                    subj: Some(agent),
                    obj: org,
                    terms: WantedTerms { org: percent(*part), extra: percent(*extra), pfc: *pfc },
                    message: String::new(),
                };
                self.give(Actor::Partner(command.by), command, report).await
            }
            DealAct::Decide { deal, by_agent, status } => {
                let Some(deal) = self.known.deal(*deal) else { return Ok(Report::Nothing) };
                let command = UpdateDeal { deal: deal.id, event: deal.event, status: Some(*status) };
                let by = if *by_agent { deal.subj } else { deal.obj };
                self.give(Actor::Partner(by), command, report).await
            }
        }
    }

    async fn refund(&self, act: &RefundAct) -> Answer {
        let engine = &self.server.engine;
        match act {
            RefundAct::Ask { order, culprit, places, keeps } => {
                let Some(order) = self.known.order(*order) else { return Ok(Report::Nothing) };
                let lines = &order.lines;
                let named = places.iter().filter_map(|at| lines.get(at % lines.len().max(1)));
                let named = named.map(|line| line.ticket).collect();
                let tickets = if *keeps { RefundOf::AllBut(named) } else { RefundOf::Tickets(named) };
                let wish = RefundWish { order: order.id, culprit: *culprit, tickets, requested_at: None, reason: None };
                let actor = self.caller(Actor::Partner(order.vendor));
                engine.create_refund(&actor, wish, refund_report).await
            }
            RefundAct::Decide { request, step } => {
                let Some(request) = self.known.refund(*request) else { return Ok(Report::Nothing) };
                let decision = (Some(*step), Patch::Keep);
                let actor = self.caller(Actor::Partner(request.org));
                engine.update_refund(&actor, request.id, decision, refund_report).await
            }
        }
    }

    async fn sale(
        &self,
        event: usize,
        agent: Option<usize>,
        (wish, codes): (&Wish, Option<&Codes>),
        email: Option<usize>,
    ) -> Answer {
        let Some(event) = self.known.event(event) else { return Ok(Report::Nothing) };
        let Some(wanted) = wanted(event.id, wish, self.known) else { return Ok(Report::Nothing) };
        let mut edit = OrderEdit { wanted: Some(wanted), ..OrderEdit::default() };
        if let Some(codes) = codes {
            name(codes, &mut edit);
        }
        edit.customer = email.map(address).map(CustomerPatch::with_email);
        let vendor = agent.and_then(|agent| self.known.partner(agent)).unwrap_or(event.org);
        let asker = self.asker(self.caller(Actor::Partner(vendor)), event.id);
        let command = CreateOrder { event: event.id, vendor, deal: None, edit };
        self.server.engine.execute(&asker, command, order_report).await
    }

    async fn change(&self, order: &Order, act: &ChangeAct) -> Answer {
        let mut edit = OrderEdit::default();
        match act {
            ChangeAct::Tickets { wish, all_or_nothing } => {
                let Some(wanted) = wanted(order.event, wish, self.known) else { return Ok(Report::Nothing) };
                edit.wanted = Some(wanted);
                edit.all_or_nothing = *all_or_nothing;
            }
            ChangeAct::Codes(codes) => name(codes, &mut edit),
            ChangeAct::Invite { email } => {
                let (system, send_tickets) = (Patch::Set(PaymentSystem::Invitation), Patch::Set(true));
                edit.payment = Some(PaymentPatch { system, send_tickets, ..PaymentPatch::default() });
                edit.step = Some(Step::InProgress);
                edit.customer = Some(CustomerPatch::with_email(address(*email)));
            }
            ChangeAct::Step(step) => edit.step = Some(*step),
        }
        let actor = self.caller(Actor::Partner(order.vendor));
        self.server.engine.update_order(&actor, order.id, edit, order_report).await
    }
}

impl EventAct {
    /// Which of the events.
    pub(crate) fn event(&self) -> usize {
        match self {
            Self::Create { .. } => 0,
            Self::Status { event, .. }
            | Self::Lifetime { event, .. }
            | Self::Policy { event, .. }
            | Self::Remove { event }
            | Self::AddSet { event, .. }
            | Self::AddHall { event, .. } => *event,
        }
    }
}

/// What is kept of an answer under a key: the order that it shows.
pub fn order_bytes(order: &Order) -> Vec<u8> {
    format!("{order:?}").into_bytes()
}

fn answer_bytes(answer: &dyn Any) -> Option<Vec<u8>> {
    let report: &Report = answer.downcast_ref()?;
    if let Report::Order(outcome) = report { Some(order_bytes(&outcome.order)) } else { None }
}

fn user_report(user: &User) -> Report {
    Report::User(Box::new(user.clone()))
}

fn partner_report(partner: &Partner) -> Report {
    Report::Partner(Box::new(partner.clone()))
}

fn set_report(set: &Set) -> Report {
    Report::Set(Box::new(set.clone()))
}

fn promocode_report(promocode: &Promocode) -> Report {
    Report::Promocode(Box::new(promocode.clone()))
}

fn refund_report(_: &View, request: &RefundRequest) -> Report {
    Report::Refund(Box::new(request.clone()))
}

fn order_report(_: &View, outcome: &OrderOutcome) -> Report {
    Report::Order(Box::new(outcome.clone()))
}

fn level((from, percent): (u32, u32)) -> WantedLevel {
    let value = WantedValue { percent: Some(Percent::from_units(i64::from(percent) * 10_000)), amount: None };
    WantedLevel { from: Money::from_minor(i64::from(from) * 100), value }
}

fn name(codes: &Codes, edit: &mut OrderEdit) {
    edit.promocodes = Some(codes.named.iter().map(|code| code_named(*code)).collect());
    edit.unusable = if codes.leaves_out { Unusable::LeaveOut } else { Unusable::Refuse };
}

fn code_named(at: usize) -> Code {
    format!("code {at}").parse().expect("a code")
}

/// What an order of an event shall hold; `None` where there is no set to name.
fn wanted(event: EventId, wish: &Wish, known: &Known) -> Option<Wanted> {
    Some(match wish {
        Wish::Random(wishes) => {
            // Different numbers may name the same set.
            let mut sets: Vec<(SetId, u32)> = Vec::new();
            for (set, count) in wishes {
                let set = known.set_of(event, *set)?.id;
                if sets.iter().all(|(named, _)| *named != set) {
                    sets.push((set, *count));
                }
            }
            Wanted::Random(sets)
        }
        Wish::SameSet(counts) => {
            let set = known.set_of(event, 0)?.id;
            Wanted::Random(counts.iter().map(|count| (set, *count)).collect())
        }
        Wish::Tickets(places) => Wanted::Tickets(known.tickets_of(event, places)),
    })
}

fn new_set(event: EventId, price: i64) -> CreateSet {
    CreateSet {
        event,
        name: "Set".to_owned(),
        desc: None,
        sector: String::new(),
        pos: 0,
        amount: 0,
        seats: None,
        price: Some(Money::from_minor(price)),
        rules: Vec::new(),
    }
}

/// The chairs of these bits: eight in each of two rows.
fn seating(chairs: u16) -> Seating {
    let mut hall = Seating::default();
    for row in ["9", "10"] {
        let row = row.parse().expect("a row");
        hall.add_row(row, vec![(1, 8).into()]).expect("a row of its own");
    }
    let mut bits = (0..16).map(|bit| chairs >> bit & 1 == 1);
    hall.first(16, |_, _| bits.next().unwrap_or(false))
}

fn address(at: usize) -> Email {
    format!("n{at}@example.org").parse().expect("an address")
}
