//! How each act is given to an engine.

use kassa_domain::event::{CreateEvent, Event, EventId, EventPatch, UpdateEvent};
use kassa_domain::key::{CreateKey, UpdateKey};
use kassa_domain::order::{Order, OrderEdit, OrderOutcome, PaymentPatch, PaymentSystem, Step, Unusable, Wanted};
use kassa_domain::partner::{CreatePartner, PartnerPatch, UpdatePartner};
use kassa_domain::price::Share;
use kassa_domain::promocode::{Code, CreatePromocode, LifetimePatch, TicketsCount, UpdatePromocode};
use kassa_domain::promotion::{
    CreatePromotion, Kind, Measure, RemovePromotion, UpdatePromotion, WantedLevel, WantedValue,
};
use kassa_domain::refund::{PolicyPatch, RefundOf, RefundRequest};
use kassa_domain::seating::Seating;
use kassa_domain::session::{EndSession, StartSession};
use kassa_domain::set::{CreateSet, SetId, UpdateSet};
use kassa_domain::user::{ConfirmEmail, Email, RegisterUser};
use kassa_domain::{Actor, Money, Patch, Percent, View, Window};
use kassa_engine::Clock;
use kassa_engine::orders::OrderRequest;
use kassa_engine::refunds::RefundWish;

use crate::acts::{AccountAct, Act, ChangeAct, Codes, EventAct, PromocodeAct, PromotionAct, RefundAct, SetAct, Wish};
use crate::known::Known;
use crate::side::{Side, shown};

const MINUTE_MS: i64 = 60_000;

impl Side {
    /// Performs an act; what came of it, as text.
    pub(crate) async fn perform(&self, act: &Act, known: &Known) -> String {
        match act {
            Act::Wait { minutes } => {
                self.clock.advance_ms(minutes * MINUTE_MS);
                String::new()
            }
            Act::Expire => shown(self.engine.expire_due().await),
            Act::RunJobs => shown(self.engine.run_jobs().await),
            Act::SendMails => shown(self.engine.send_due_mails(&self.post).await),
            Act::Account(act) => self.account(act, known).await,
            Act::Event(act) => self.event(act, known).await,
            Act::Set { set, act } => self.set(*set, act, known).await,
            Act::Promocode(act) => self.promocode(act, known).await,
            Act::Promotion(act) => self.promotion(act, known).await,
            Act::Refund(act) => self.refund(act, known).await,
            Act::Sale { event, wish, codes, email } => {
                self.sale(known.event(*event), (wish, codes.as_ref()), *email, known).await
            }
            Act::Change { order, act } => match known.order(*order) {
                Some(order) => self.change(order, act, known).await,
                None => String::new(),
            },
        }
    }

    async fn account(&self, act: &AccountAct, known: &Known) -> String {
        let boss = Actor::Operator;
        match act {
            AccountAct::Register { email } => {
                let password = format!("hash {email}");
                let command = RegisterUser { email: address(*email), password, first_name: None, last_name: None };
                self.give(&Actor::Anonymous, command).await
            }
            AccountAct::Confirm { user } => {
                let user = &known.users[user % known.users.len()];
                self.give(&boss, ConfirmEmail { user: user.id, email: user.email.clone(), password: None }).await
            }
            AccountAct::CreatePartner { user } => {
                let patch = PartnerPatch { name: Patch::Set("Partner".to_owned()), ..PartnerPatch::default() };
                self.give(&boss, CreatePartner { manager: known.user(*user), patch }).await
            }
            AccountAct::Managers { partner, users } => {
                let users = Some(users.iter().map(|user| known.user(*user)).collect());
                let partner = known.partner(*partner);
                self.give(&boss, UpdatePartner { partner, patch: PartnerPatch::default(), users }).await
            }
            AccountAct::CreateKey { partner, hash } => {
                let hash = [*hash; 32];
                // The house makes hashes that nobody has.
                if known.keys.iter().any(|key| key.hash == hash) {
                    return String::new();
                }
                let partner = known.partner(*partner);
                self.give(&boss, CreateKey { partner, name: String::new(), hash, sealed: vec![1] }).await
            }
            AccountAct::RemoveKey { key } => {
                let Some(key) = known.key(*key) else { return String::new() };
                let command = UpdateKey { partner: key.partner, key: key.id, name: None, remove: true };
                self.give(&boss, command).await
            }
            AccountAct::LogIn { user, hash } => {
                let user = &known.users[user % known.users.len()];
                let password = user.password().unwrap_or("none").to_owned();
                let log_in = StartSession { user: user.id, password, hash: [*hash; 32] };
                self.give(&Actor::System, EndSession { hash: [*hash; 32] }).await
                    + &self.give(&Actor::System, log_in).await
            }
            AccountAct::LogOut { hash } => self.give(&Actor::System, EndSession { hash: [*hash; 32] }).await,
        }
    }

    async fn event(&self, act: &EventAct, known: &Known) -> String {
        let update = |event: usize, patch: EventPatch| UpdateEvent { event: known.event(event).id, patch };
        let command = match act {
            EventAct::Create { partner } => {
                let org = known.partner(*partner);
                let patch = EventPatch { tickets_limit: Patch::Set(6), ..EventPatch::default() };
                return self.give(&Actor::Partner(org), CreateEvent { org, patch }).await;
            }
            EventAct::AddSet { event, amount, price } => {
                let command = CreateSet { amount: *amount, ..new_set(known.event(*event).id, *price) };
                return self.give(&known.organizer(command.event), command).await;
            }
            EventAct::AddHall { event, chairs, price } => {
                let command = CreateSet { seats: Some(seating(*chairs)), ..new_set(known.event(*event).id, *price) };
                return self.give(&known.organizer(command.event), command).await;
            }
            EventAct::Status { event, status } => {
                update(*event, EventPatch { status: Patch::Set(*status), ..EventPatch::default() })
            }
            EventAct::Lifetime { event, minutes } => {
                let start = self.clock.now();
                let window = Window { start, finish: Some(start.plus_ms(minutes * MINUTE_MS)) };
                update(*event, EventPatch { lifetime: Patch::Set(window), ..EventPatch::default() })
            }
            EventAct::Policy { event, kept, days_before, after_start } => {
                let policy = PolicyPatch {
                    kept: Patch::Set(Percent::from_units(kept * 10_000)),
                    days_before: Patch::Set(*days_before),
                    after_start: Patch::Set(*after_start),
                };
                update(*event, EventPatch { refund_policy: Patch::Set(policy), ..EventPatch::default() })
            }
            EventAct::Remove { event } => UpdateEvent::remove(known.event(*event).id),
        };
        self.give(&known.organizer(command.event), command).await
    }

    async fn set(&self, set: usize, act: &SetAct, known: &Known) -> String {
        let set = known.set(set);
        let actor = known.organizer(set.event);
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
        let command = match act {
            SetAct::Resize { amount } => UpdateSet { amount: Some(*amount), ..same },
            SetAct::Reseat { chairs } => UpdateSet { seats: Patch::Set(seating(*chairs)), ..same },
            SetAct::Reprice { price } => UpdateSet { price: Some(Money::from_minor(*price)), ..same },
            SetAct::Block { places } => UpdateSet { blocked: Some(known.tickets_in(set.id, places)), ..same },
            SetAct::Remove => {
                let removed = self.engine.remove_set(&actor, (set.event, set.id), |_, set| format!("{set:?}"));
                return shown(removed.await);
            }
        };
        shown(self.engine.update_set(&actor, command, |_, set| format!("{set:?}")).await)
    }

    async fn promocode(&self, act: &PromocodeAct, known: &Known) -> String {
        match act {
            PromocodeAct::Create { event, code, set, percent, min, amount } => {
                let event = known.event(*event).id;
                let command = CreatePromocode {
                    event,
                    code: code_named(*code),
                    name: None,
                    desc: None,
                    sets: set.iter().map(|set| known.set_of(event, *set).id).collect(),
                    discount: Share::Percent(Percent::from_units(percent * 10_000)),
                    tickets_count: TicketsCount { min: Some(*min), max: None },
                    lifetime: LifetimePatch::default(),
                    amount: *amount,
                };
                self.give(&known.organizer(event), command).await
            }
            PromocodeAct::Amend { promocode, amount, minutes } => {
                let promocode = known.promocode(*promocode);
                let finish = Patch::Set(self.clock.now().plus_ms(minutes * MINUTE_MS));
                let command = UpdatePromocode {
                    event: promocode.event,
                    promocode: promocode.id,
                    name: Patch::Keep,
                    desc: Patch::Keep,
                    amount: amount.map_or(Patch::Clear, Patch::Set),
                    lifetime: Patch::Set(LifetimePatch { start: Patch::Keep, finish }),
                };
                self.give(&known.organizer(promocode.event), command).await
            }
        }
    }

    async fn promotion(&self, act: &PromotionAct, known: &Known) -> String {
        let until = |minutes: i64| LifetimePatch {
            start: Patch::Keep,
            finish: Patch::Set(self.clock.now().plus_ms(minutes * MINUTE_MS)),
        };
        match act {
            PromotionAct::Create { event, set, by_sum, minutes, levels } => {
                let event = known.event(*event).id;
                let command = CreatePromotion {
                    event,
                    lifetime: until(*minutes),
                    sets: set.iter().map(|set| known.set_of(event, *set).id).collect(),
                    by: if *by_sum { Measure::Sum } else { Measure::Count },
                    kind: Kind::Percentage,
                    levels: levels.iter().copied().map(level).collect(),
                };
                self.give(&known.organizer(event), command).await
            }
            PromotionAct::Amend { promotion, minutes, levels } => {
                let Some(promotion) = known.promotion(*promotion) else { return String::new() };
                let command = UpdatePromotion {
                    event: promotion.event,
                    promotion: promotion.id,
                    lifetime: until(*minutes),
                    sets: None,
                    by: None,
                    kind: None,
                    levels: levels.as_ref().map(|levels| levels.iter().copied().map(level).collect()),
                };
                self.give(&known.organizer(promotion.event), command).await
            }
            PromotionAct::Remove { promotion } => {
                let Some(promotion) = known.promotion(*promotion) else { return String::new() };
                let command = RemovePromotion { event: promotion.event, promotion: promotion.id };
                self.give(&known.organizer(promotion.event), command).await
            }
        }
    }

    async fn refund(&self, act: &RefundAct, known: &Known) -> String {
        match act {
            RefundAct::Ask { order, culprit, places, keeps } => {
                let Some(order) = known.order(*order) else { return String::new() };
                let lines = &order.lines;
                let named = places.iter().filter_map(|at| lines.get(at % lines.len().max(1)));
                let named = named.map(|line| line.ticket).collect();
                let tickets = if *keeps { RefundOf::AllBut(named) } else { RefundOf::Tickets(named) };
                let wish = RefundWish { order: order.id, culprit: *culprit, tickets, requested_at: None, reason: None };
                let actor = Actor::Partner(order.vendor);
                shown(self.engine.create_refund(&actor, wish, request_text).await)
            }
            RefundAct::Decide { request, step } => {
                let Some(request) = known.refund(*request) else { return String::new() };
                let decision = (Some(*step), Patch::Keep);
                let actor = Actor::Partner(request.org);
                shown(self.engine.update_refund(&actor, request.id, decision, request_text).await)
            }
        }
    }

    async fn sale(
        &self,
        event: &Event,
        (wish, codes): (&Wish, Option<&Codes>),
        email: Option<usize>,
        known: &Known,
    ) -> String {
        let mut edit = OrderEdit { wanted: Some(wanted(event.id, wish, known)), ..OrderEdit::default() };
        if let Some(codes) = codes {
            name(codes, &mut edit);
        }
        let request = OrderRequest { edit, email: email.map(address).into() };
        let actor = Actor::Partner(event.org);
        shown(self.engine.create_order(&actor, (event.id, event.org, None), request, outcome_text).await)
    }

    async fn change(&self, order: &Order, act: &ChangeAct, known: &Known) -> String {
        let mut request = OrderRequest::default();
        match act {
            ChangeAct::Tickets { wish, all_or_nothing } => {
                request.edit.wanted = Some(wanted(order.event, wish, known));
                request.edit.all_or_nothing = *all_or_nothing;
            }
            ChangeAct::Codes(codes) => name(codes, &mut request.edit),
            ChangeAct::Invite { email } => {
                let (system, send_tickets) = (Patch::Set(PaymentSystem::Invitation), Patch::Set(true));
                request.edit.payment = Some(PaymentPatch { system, send_tickets, ..PaymentPatch::default() });
                request.edit.step = Some(Step::InProgress);
                request.email = Patch::Set(address(*email));
            }
            ChangeAct::Step(step) => request.edit.step = Some(*step),
        }
        let actor = Actor::Partner(order.vendor);
        shown(self.engine.update_order(&actor, order.id, request, outcome_text).await)
    }
}

fn request_text(_: &View, request: &RefundRequest) -> String {
    format!("{request:?}")
}

fn outcome_text(_: &View, outcome: &OrderOutcome) -> String {
    format!("{outcome:?}")
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
    format!("code {at}").parse().unwrap()
}

fn wanted(event: EventId, wish: &Wish, known: &Known) -> Wanted {
    match wish {
        Wish::Random(wishes) => {
            // Different numbers may name the same set.
            let mut sets: Vec<(SetId, u32)> = Vec::new();
            for (set, count) in wishes {
                let set = known.set_of(event, *set).id;
                if sets.iter().all(|(named, _)| *named != set) {
                    sets.push((set, *count));
                }
            }
            Wanted::Random(sets)
        }
        Wish::SameSet(counts) => {
            let set = known.set_of(event, 0).id;
            Wanted::Random(counts.iter().map(|count| (set, *count)).collect())
        }
        Wish::Tickets(places) => Wanted::Tickets(known.tickets_of(event, places)),
    }
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
        hall.add_row(row.parse().unwrap(), vec![(1, 8).into()]).unwrap();
    }
    let mut bits = (0..16).map(|bit| chairs >> bit & 1 == 1);
    hall.first(16, |_, _| bits.next().unwrap())
}

fn address(at: usize) -> Email {
    format!("n{at}@example.org").parse().unwrap()
}
