//! Acts that are made at random.

use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use kassa_domain::order::Step;
use kassa_domain::refund::{Culprit, RefundStep};
use proptest::prelude::*;

use super::{
    AccountAct, Act, ChangeAct, Codes, DealAct, EventAct, PromocodeAct, PromotionAct, RefundAct, SetAct, Wish,
};

/// Mostly sales; the rest of life now and then.
pub fn act() -> impl Strategy<Value = Act> {
    let set = (0..4_usize, set_act()).prop_map(|(set, act)| Act::Set { set, act });
    prop_oneof![
        6 => sale(0..2_usize),
        9 => change(0..8_usize),
        2 => (0..40_i64).prop_map(|minutes| Act::Wait { minutes }),
        2 => Just(Act::Expire),
        1 => (0..8_usize).prop_map(|order| Act::ExpireOne { order }),
        2 => deal_act().prop_map(Act::Deal),
        3 => event_act().prop_map(Act::Event),
        4 => set,
        2 => promocode_act().prop_map(Act::Promocode),
        2 => promotion_act().prop_map(Act::Promotion),
        5 => refund_act(0..8_usize).prop_map(Act::Refund),
        1 => Just(Act::RunJobs),
        1 => Just(Act::SendMails),
        5 => account_act().prop_map(Act::Account),
    ]
}

/// Sales, and what becomes of the latest orders.
pub fn trade() -> impl Strategy<Value = Act> {
    // Counted round, the last numbers are the latest orders more often than not.
    prop_oneof![
        4 => sale(Just(0)),
        5 => change(0..24_usize),
        1 => (0..24_usize).prop_map(|order| Act::ExpireOne { order }),
        2 => refund_act(0..24_usize).prop_map(Act::Refund),
    ]
}

fn sale(event: impl Strategy<Value = usize> + 'static) -> BoxedStrategy<Act> {
    let agent = prop::option::weighted(0.3, 0..3_usize);
    (event, agent, wish(), prop::option::of(codes()), prop::option::of(0..4_usize))
        .prop_map(|(event, agent, wish, codes, email)| Act::Sale { event, agent, wish, codes, email })
        .boxed()
}

fn change(order: impl Strategy<Value = usize> + 'static) -> BoxedStrategy<Act> {
    (order, change_act()).prop_map(|(order, act)| Act::Change { order, act }).boxed()
}

/// What may happen at the same moment: all of it is one command, or looks up what it needs by key.
pub fn act_in_a_crowd() -> impl Strategy<Value = Act> {
    prop_oneof![2 => trade().boxed(), 1 => act().boxed()].prop_filter("looks at a list", |act| {
        !matches!(act, Act::Expire | Act::RunJobs | Act::SendMails | Act::Wait { .. } | Act::Account(_))
    })
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

fn refund_act(order: impl Strategy<Value = usize> + 'static) -> impl Strategy<Value = RefundAct> {
    let culprit = prop_oneof![Just(Culprit::User), Just(Culprit::Org)];
    let step = prop_oneof![
        1 => Just(RefundStep::InProgress),
        3 => Just(RefundStep::Approved),
        1 => Just(RefundStep::Rejected),
    ];
    prop_oneof![
        3 => (order, culprit, places(), any::<bool>())
            .prop_map(|(order, culprit, places, keeps)| RefundAct::Ask { order, culprit, places, keeps }),
        4 => (0..8_usize, step).prop_map(|(request, step)| RefundAct::Decide { request, step }),
    ]
}

fn deal_act() -> impl Strategy<Value = DealAct> {
    let status = prop_oneof![
        4 => Just(DealStatus::Accepted),
        1 => Just(DealStatus::Declined),
        1 => Just(DealStatus::Revoked),
        1 => Just(DealStatus::Terminated),
    ];
    let make = (0..2_usize, 0..3_usize, prop::bool::weighted(0.7), 50..=100_i64, 0..=20_i64, any::<bool>());
    prop_oneof![
        3 => make.prop_map(|(event, agent, offered, org, extra, pfc)| {
            DealAct::Make { event, agent, offered, org, extra, pfc }
        }),
        1 => (0..4_usize, any::<bool>(), status)
            .prop_map(|(deal, by_agent, status)| DealAct::Decide { deal, by_agent, status }),
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
        1 => (event.clone(), 0..6_000_i64).prop_map(|(event, minutes)| EventAct::Lifetime { event, minutes }),
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
        1 => partner.prop_map(|partner| AccountAct::CreateKey { partner }),
        1 => (0..3_usize).prop_map(|key| AccountAct::RemoveKey { key }),
        1 => (user, 0..4_u8).prop_map(|(user, hash)| AccountAct::LogIn { user, hash }),
        1 => (0..4_u8).prop_map(|hash| AccountAct::LogOut { hash }),
    ]
}
