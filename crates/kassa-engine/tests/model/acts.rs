//! The commands of the play: what each is, and how one is made at random.

use kassa_domain::event::EventStatus;
use kassa_domain::order::Step;
use kassa_domain::refund::{Culprit, RefundStep};
use proptest::prelude::*;

/// One command, or one thing that the server does by itself. Numbers name the nth of what is there.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Account(AccountAct),
    Event(EventAct),
    Set { set: usize, act: SetAct },
    Promocode(PromocodeAct),
    Promotion(PromotionAct),
    Refund(RefundAct),
    Sale { event: usize, wish: Wish, codes: Option<Codes>, email: Option<usize> },
    Change { order: usize, act: ChangeAct },
    Wait { minutes: i64 },
    Expire,
    RunJobs,
    SendMails,
}

#[derive(Clone, Debug)]
pub(crate) enum AccountAct {
    Register { email: usize },
    Confirm { user: usize },
    CreatePartner { user: usize },
    Managers { partner: usize, users: Vec<usize> },
    CreateKey { partner: usize, hash: u8 },
    RemoveKey { key: usize },
    LogIn { user: usize, hash: u8 },
    LogOut { hash: u8 },
}

#[derive(Clone, Debug)]
pub(crate) enum EventAct {
    Create { partner: usize },
    Status { event: usize, status: EventStatus },
    Lifetime { event: usize, minutes: i64 },
    Policy { event: usize, kept: i64, days_before: u32, after_start: bool },
    Remove { event: usize },
    AddSet { event: usize, amount: u32, price: i64 },
    AddHall { event: usize, chairs: u16, price: i64 },
}

#[derive(Clone, Debug)]
pub(crate) enum SetAct {
    Resize { amount: u32 },
    Reseat { chairs: u16 },
    Reprice { price: i64 },
    Block { places: Vec<usize> },
    Remove,
}

#[derive(Clone, Debug)]
pub(crate) enum RefundAct {
    Ask { order: usize, culprit: Culprit, places: Vec<usize>, keeps: bool },
    Decide { request: usize, step: RefundStep },
}

/// Promocodes are called by numbers.
#[derive(Clone, Debug)]
pub(crate) enum PromocodeAct {
    Create { event: usize, code: usize, set: Option<usize>, percent: i64, min: u32, amount: Option<u32> },
    Amend { promocode: usize, amount: Option<u32>, minutes: i64 },
}

#[derive(Clone, Debug)]
pub(crate) enum PromotionAct {
    Create { event: usize, set: Option<usize>, by_sum: bool, minutes: i64, levels: Vec<(u32, u32)> },
    Amend { promotion: usize, minutes: i64, levels: Option<Vec<(u32, u32)>> },
    Remove { promotion: usize },
}

#[derive(Clone, Debug)]
pub(crate) enum ChangeAct {
    Tickets { wish: Wish, all_or_nothing: bool },
    Codes(Codes),
    Invite { email: usize },
    Step(Step),
}

/// The promocodes that an order shall name.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    pub(crate) named: Vec<usize>,
    pub(crate) leaves_out: bool,
}

/// What an order shall hold.
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    /// So many of some sets, each named once.
    Random(Vec<(usize, u32)>),
    /// So many of one set, which is named that often.
    SameSet(Vec<u32>),
    /// Certain tickets.
    Tickets(Vec<usize>),
}

/// A partner with a public event of three sets, one with seats, and a promocode: most plays need one.
pub(crate) fn stage() -> Vec<Act> {
    vec![
        Act::Account(AccountAct::Register { email: 0 }),
        Act::Account(AccountAct::CreatePartner { user: 0 }),
        Act::Event(EventAct::Create { partner: 0 }),
        Act::Event(EventAct::AddSet { event: 0, amount: 8, price: 1_000 }),
        Act::Event(EventAct::AddSet { event: 0, amount: 3, price: 0 }),
        Act::Event(EventAct::AddHall { event: 0, chairs: 0b11_1011, price: 500 }),
        Act::Event(EventAct::Status { event: 0, status: EventStatus::Public }),
        Act::Promocode(PromocodeAct::Create { event: 0, code: 0, set: None, percent: 30, min: 0, amount: Some(2) }),
    ]
}

/// Mostly sales; the rest of life now and then.
pub(crate) fn act() -> impl Strategy<Value = Act> {
    let set = (0..4_usize, set_act()).prop_map(|(set, act)| Act::Set { set, act });
    let sale = (0..2_usize, wish(), prop::option::of(codes()), prop::option::of(0..4_usize));
    let change = (0..8_usize, change_act()).prop_map(|(order, act)| Act::Change { order, act });
    prop_oneof![
        6 => sale.prop_map(|(event, wish, codes, email)| Act::Sale { event, wish, codes, email }),
        9 => change,
        2 => (0..40_i64).prop_map(|minutes| Act::Wait { minutes }),
        2 => Just(Act::Expire),
        3 => event_act().prop_map(Act::Event),
        4 => set,
        2 => promocode_act().prop_map(Act::Promocode),
        2 => promotion_act().prop_map(Act::Promotion),
        5 => refund_act().prop_map(Act::Refund),
        1 => Just(Act::RunJobs),
        1 => Just(Act::SendMails),
        5 => account_act().prop_map(Act::Account),
    ]
}

fn places() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..12_usize, 0..4)
}

/// Some of sixteen chairs, one for each bit: a few, so that sets do not always want the same.
fn chairs() -> impl Strategy<Value = u16> {
    any::<(u16, u16)>().prop_map(|(one, other)| one & other)
}

fn codes() -> impl Strategy<Value = Codes> {
    let named = prop::collection::vec(0..3_usize, 0..3);
    (named, any::<bool>()).prop_map(|(named, leaves_out)| Codes { named, leaves_out })
}

fn promocode_act() -> impl Strategy<Value = PromocodeAct> {
    let amount = || prop::option::of(0..4_u32);
    let create = (0..2_usize, 0..3_usize, prop::option::of(0..3_usize), 0..=100_i64, 0..4_u32, amount());
    prop_oneof![
        create.prop_map(|(event, code, set, percent, min, amount)| PromocodeAct::Create {
            event,
            code,
            set,
            percent,
            min,
            amount
        }),
        (0..3_usize, amount(), 0..600_i64).prop_map(|(promocode, amount, minutes)| PromocodeAct::Amend {
            promocode,
            amount,
            minutes
        }),
    ]
}

/// From how many tickets on, and how many percent: mostly as they must be.
fn levels() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0..4_u32, 0..=100_u32), 1..3)
}

fn promotion_act() -> impl Strategy<Value = PromotionAct> {
    let create = (0..2_usize, prop::option::of(0..3_usize), any::<bool>(), 0..60_i64, levels());
    prop_oneof![
        3 => create.prop_map(|(event, set, by_sum, minutes, levels)| PromotionAct::Create {
            event,
            set,
            by_sum,
            minutes,
            levels
        }),
        1 => (0..3_usize, 0..60_i64, prop::option::of(levels()))
            .prop_map(|(promotion, minutes, levels)| PromotionAct::Amend { promotion, minutes, levels }),
        1 => (0..3_usize).prop_map(|promotion| PromotionAct::Remove { promotion }),
    ]
}

fn refund_act() -> impl Strategy<Value = RefundAct> {
    let culprit = prop_oneof![Just(Culprit::User), Just(Culprit::Org)];
    let step = prop_oneof![
        1 => Just(RefundStep::InProgress),
        3 => Just(RefundStep::Approved),
        1 => Just(RefundStep::Rejected),
    ];
    prop_oneof![
        3 => (0..8_usize, culprit, places(), any::<bool>())
            .prop_map(|(order, culprit, places, keeps)| RefundAct::Ask { order, culprit, places, keeps }),
        4 => (0..8_usize, step).prop_map(|(request, step)| RefundAct::Decide { request, step }),
    ]
}

fn wish() -> impl Strategy<Value = Wish> {
    prop_oneof![
        2 => prop::collection::vec((0..4_usize, 0..5_u32), 0..3).prop_map(Wish::Random),
        1 => places().prop_map(Wish::Tickets),
    ]
}

fn change_act() -> impl Strategy<Value = ChangeAct> {
    let step = prop_oneof![Just(Step::InProgress), Just(Step::Done), Just(Step::Done), Just(Step::Canceled)];
    prop_oneof![
        3 => (wish(), any::<bool>()).prop_map(|(wish, all_or_nothing)| ChangeAct::Tickets { wish, all_or_nothing }),
        2 => codes().prop_map(ChangeAct::Codes),
        1 => (0..4_usize).prop_map(|email| ChangeAct::Invite { email }),
        5 => step.prop_map(ChangeAct::Step),
    ]
}

fn event_act() -> impl Strategy<Value = EventAct> {
    let event = 0..2_usize;
    let status =
        prop_oneof![9 => Just(EventStatus::Public), 2 => Just(EventStatus::StandBy), 1 => Just(EventStatus::Canceled)];
    prop_oneof![
        1 => (0..2_usize).prop_map(|partner| EventAct::Create { partner }),
        3 => (event.clone(), status).prop_map(|(event, status)| EventAct::Status { event, status }),
        1 => (event.clone(), 0..600_i64).prop_map(|(event, minutes)| EventAct::Lifetime { event, minutes }),
        1 => event.clone().prop_map(|event| EventAct::Remove { event }),
        1 => (event.clone(), 0..=100_i64, 0..3_u32, any::<bool>()).prop_map(
            |(event, kept, days_before, after_start)| EventAct::Policy { event, kept, days_before, after_start }
        ),
        2 => (event.clone(), 0..12_u32, 0..2_000_i64)
            .prop_map(|(event, amount, price)| EventAct::AddSet { event, amount, price }),
        2 => (event, chairs(), 0..2_000_i64)
            .prop_map(|(event, chairs, price)| EventAct::AddHall { event, chairs, price }),
    ]
}

fn set_act() -> impl Strategy<Value = SetAct> {
    prop_oneof![
        3 => (0..12_u32).prop_map(|amount| SetAct::Resize { amount }),
        3 => chairs().prop_map(|chairs| SetAct::Reseat { chairs }),
        1 => (0..2_000_i64).prop_map(|price| SetAct::Reprice { price }),
        3 => places().prop_map(|places| SetAct::Block { places }),
        1 => Just(SetAct::Remove),
    ]
}

fn account_act() -> impl Strategy<Value = AccountAct> {
    let (user, partner) = (0..5_usize, 0..3_usize);
    prop_oneof![
        2 => (0..4_usize).prop_map(|email| AccountAct::Register { email }),
        1 => user.clone().prop_map(|user| AccountAct::Confirm { user }),
        1 => user.clone().prop_map(|user| AccountAct::CreatePartner { user }),
        1 => (partner.clone(), prop::collection::vec(0..5_usize, 0..3))
            .prop_map(|(partner, users)| AccountAct::Managers { partner, users }),
        1 => (partner, any::<u8>()).prop_map(|(partner, hash)| AccountAct::CreateKey { partner, hash }),
        1 => (0..3_usize).prop_map(|key| AccountAct::RemoveKey { key }),
        1 => (user, 0..4_u8).prop_map(|(user, hash)| AccountAct::LogIn { user, hash }),
        1 => (0..4_u8).prop_map(|hash| AccountAct::LogOut { hash }),
    ]
}
