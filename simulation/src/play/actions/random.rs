//! Acts that are made at random.

use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use kassa_domain::order::OrderTransition;
use kassa_domain::payment::{PaymentProvider, TestOutcome};
use kassa_domain::refund::{Culprit, RefundTransition};
use proptest::prelude::*;

use super::{
    AccountAction, Action, DealAction, EventAction, OrderAction, PaymentAction, PromocodeAction, PromocodeChoice,
    PromotionAction, RefundAction, SetAction, TicketChoice,
};

/// Mostly sales; the rest of life now and then.
pub fn action() -> impl Strategy<Value = Action> {
    let set = (0..4_usize, set_action()).prop_map(|(set, act)| Action::Set { set, act });
    prop_oneof![
        6 => sale(0..2_usize),
        9 => order_change(0..8_usize),
        2 => (0..40_i64).prop_map(|minutes| Action::AdvanceClock { minutes }),
        2 => Just(Action::ExpireDue),
        1 => (0..8_usize).prop_map(|order| Action::ExpireOne { order }),
        2 => deal_action().prop_map(Action::Deal),
        3 => event_action().prop_map(Action::Event),
        4 => set,
        2 => promocode_action().prop_map(Action::Promocode),
        2 => promotion_action().prop_map(Action::Promotion),
        5 => refund_action(0..8_usize).prop_map(Action::Refund),
        2 => payment_action(8).prop_map(Action::Payment),
        1 => Just(Action::RunJobs),
        1 => Just(Action::SendMails),
        4 => Just(Action::PlaceChanges),
        5 => account_action().prop_map(Action::Account),
    ]
}

/// Sales, and what becomes of the latest orders.
pub fn trading_action() -> impl Strategy<Value = Action> {
    // Counted round, the last numbers are the latest orders more often than not.
    prop_oneof![
        4 => sale(Just(0)),
        5 => order_change(0..24_usize),
        1 => (0..24_usize).prop_map(|order| Action::ExpireOne { order }),
        2 => refund_action(0..24_usize).prop_map(Action::Refund),
        3 => payment_action(24).prop_map(Action::Payment),
    ]
}

/// What a server does by itself, in many commands of which some draw random bits: in which order is chance, unless one
/// program moves all lanes.
pub fn housekeeping_action() -> impl Strategy<Value = Action> {
    Just(Action::LookAtPayments)
}

fn sale(event: impl Strategy<Value = usize> + 'static) -> BoxedStrategy<Action> {
    let agent = prop::option::weighted(0.3, 0..3_usize);
    (event, agent, ticket_choice(), prop::option::of(promocode_choice()), prop::option::of(0..4_usize))
        .prop_map(|(event, agent, choice, codes, email)| Action::Sale { event, agent, choice, codes, email })
        .boxed()
}

fn order_change(order: impl Strategy<Value = usize> + 'static) -> BoxedStrategy<Action> {
    (order, order_action()).prop_map(|(order, act)| Action::ChangeOrder { order, act }).boxed()
}

/// What may happen at the same moment: all of it is one command, or looks up what it needs by key.
pub fn concurrent_action() -> impl Strategy<Value = Action> {
    prop_oneof![2 => trading_action().boxed(), 1 => action().boxed()].prop_filter("looks at a list", |act| {
        !matches!(
            act,
            Action::ExpireDue
                | Action::RunJobs
                | Action::LookAtPayments
                | Action::SendMails
                | Action::AdvanceClock { .. }
                | Action::Account(_)
        )
    })
}

fn places() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..12_usize, 0..4)
}

/// Some of sixteen seats, one for each bit: a few, so that sets do not always want the same.
fn chairs() -> impl Strategy<Value = u16> {
    any::<(u16, u16)>().prop_map(|(one, other)| one & other)
}

fn promocode_choice() -> impl Strategy<Value = PromocodeChoice> {
    let named = prop::collection::vec(0..3_usize, 0..3);
    (named, any::<bool>()).prop_map(|(named, leaves_out)| PromocodeChoice { codes: named, skips_unusable: leaves_out })
}

fn promocode_action() -> impl Strategy<Value = PromocodeAction> {
    let amount = || prop::option::of(0..4_u32);
    let create = (0..2_usize, 0..3_usize, prop::option::of(0..3_usize), 0..=100_i64, 0..4_u32, amount());
    prop_oneof![
        create.prop_map(|(event, code, set, percent, min, amount)| PromocodeAction::Create {
            event,
            code,
            set,
            percent,
            min,
            amount
        }),
        (0..3_usize, amount(), 0..600_i64).prop_map(|(promocode, amount, minutes)| PromocodeAction::Update {
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

fn promotion_action() -> impl Strategy<Value = PromotionAction> {
    let create = (0..2_usize, prop::option::of(0..3_usize), any::<bool>(), 0..60_i64, levels());
    prop_oneof![
        3 => create.prop_map(|(event, set, by_sum, minutes, levels)| PromotionAction::Create {
            event,
            set,
            by_sum,
            minutes,
            levels
        }),
        1 => (0..3_usize, 0..60_i64, prop::option::of(levels()))
            .prop_map(|(promotion, minutes, levels)| PromotionAction::Update { promotion, minutes, levels }),
        1 => (0..3_usize).prop_map(|promotion| PromotionAction::Remove { promotion }),
    ]
}

fn refund_action(order: impl Strategy<Value = usize> + 'static) -> impl Strategy<Value = RefundAction> {
    let culprit = prop_oneof![Just(Culprit::Customer), Just(Culprit::Organizer)];
    let step = prop_oneof![
        1 => Just(RefundTransition::InProgress),
        3 => Just(RefundTransition::Approved),
        1 => Just(RefundTransition::Rejected),
    ];
    prop_oneof![
        3 => (order, culprit, places(), any::<bool>())
            .prop_map(|(order, culprit, places, keeps)| RefundAction::Request { order, culprit, places, keeps }),
        4 => (0..8_usize, step).prop_map(|(request, step)| RefundAction::Decide { request, step }),
    ]
}

/// Payments of the orders below a number. Mostly all of the money comes, and once; but it may come in parts, too much of it,
/// and when nobody waits for it any more.
fn payment_action(orders: usize) -> impl Strategy<Value = PaymentAction> {
    // The first ones again and again: so the same money comes twice.
    let payments = move || prop_oneof![4 => 0..2_usize, 1 => 0..orders];
    let provider =
        prop_oneof![Just(PaymentProvider::Test), Just(PaymentProvider::Transfer), Just(PaymentProvider::Door)];
    let outcome = prop_oneof![
        3 => Just(TestOutcome::Yes),
        1 => Just(TestOutcome::No),
        1 => Just(TestOutcome::Later),
        1 => Just(TestOutcome::Twice),
        2 => Just(TestOutcome::Late),
        1 => Just(TestOutcome::Never),
    ];
    let percent = prop_oneof![4 => Just(100_i64), 2 => 1..100_i64, 1 => 101..250_i64];
    prop_oneof![
        5 => (0..orders, provider).prop_map(|(order, provider)| PaymentAction::Begin { order, provider }),
        2 => (payments(), outcome).prop_map(|(payment, outcome)| PaymentAction::PlanTest { payment, outcome }),
        9 => (payments(), percent, prop::option::weighted(0.8, Just(0_u8)))
            .prop_map(|(payment, percent, entry)| PaymentAction::Pay { payment, percent, entry }),
        1 => payments().prop_map(|payment| PaymentAction::Decline { payment }),
        2 => payments().prop_map(|payment| PaymentAction::GiveBack { payment }),
    ]
}

fn deal_action() -> impl Strategy<Value = DealAction> {
    let status = prop_oneof![
        4 => Just(DealStatus::Accepted),
        1 => Just(DealStatus::Declined),
        1 => Just(DealStatus::Revoked),
        1 => Just(DealStatus::Terminated),
    ];
    let make = (0..2_usize, 0..3_usize, prop::bool::weighted(0.7), 50..=100_i64, 0..=20_i64, any::<bool>());
    prop_oneof![
        3 => make.prop_map(|(event, agent, offered, org, extra, pfc)| {
            DealAction::Create { event, agent, offered, org, extra, pfc }
        }),
        1 => (0..4_usize, any::<bool>(), status)
            .prop_map(|(deal, by_agent, status)| DealAction::Decide { deal, by_agent, status }),
    ]
}

fn ticket_choice() -> impl Strategy<Value = TicketChoice> {
    prop_oneof![
        2 => prop::collection::vec((0..4_usize, 0..5_u32), 0..3).prop_map(TicketChoice::Random),
        1 => places().prop_map(TicketChoice::Tickets),
    ]
}

fn order_action() -> impl Strategy<Value = OrderAction> {
    let step = prop_oneof![
        Just(OrderTransition::AwaitingPayment),
        Just(OrderTransition::Paid),
        Just(OrderTransition::Paid),
        Just(OrderTransition::Canceled)
    ];
    prop_oneof![
        3 => (ticket_choice(), any::<bool>()).prop_map(|(choice, all_or_nothing)| OrderAction::SetTickets { choice, all_or_nothing }),
        2 => promocode_choice().prop_map(OrderAction::SetPromocodes),
        1 => (0..4_usize).prop_map(|email| OrderAction::Invite { email }),
        5 => step.prop_map(OrderAction::Transition),
    ]
}

fn event_action() -> impl Strategy<Value = EventAction> {
    let event = 0..2_usize;
    let status =
        prop_oneof![9 => Just(EventStatus::Public), 2 => Just(EventStatus::StandBy), 1 => Just(EventStatus::Canceled)];
    prop_oneof![
        1 => (0..2_usize).prop_map(|partner| EventAction::Create { partner }),
        3 => (event.clone(), status).prop_map(|(event, status)| EventAction::SetStatus { event, status }),
        1 => (event.clone(), 0..6_000_i64).prop_map(|(event, minutes)| EventAction::SetLifetime { event, minutes }),
        1 => event.clone().prop_map(|event| EventAction::Remove { event }),
        1 => (event.clone(), 0..=100_i64, 0..3_u32, any::<bool>()).prop_map(
            |(event, kept, days_before, after_start)| EventAction::SetRefundPolicy { event, kept, days_before, after_start }
        ),
        2 => (event.clone(), 0..12_u32, 0..2_000_i64)
            .prop_map(|(event, amount, price)| EventAction::AddSet { event, amount, price }),
        2 => (event, chairs(), 0..2_000_i64)
            .prop_map(|(event, chairs, price)| EventAction::AddHall { event, chairs, price }),
    ]
}

fn set_action() -> impl Strategy<Value = SetAction> {
    prop_oneof![
        3 => (0..12_u32).prop_map(|amount| SetAction::Resize { amount }),
        3 => chairs().prop_map(|chairs| SetAction::ChangeSeating { chairs }),
        1 => (0..2_000_i64).prop_map(|price| SetAction::ChangePrice { price }),
        3 => places().prop_map(|places| SetAction::Block { places }),
        1 => Just(SetAction::Remove),
    ]
}

fn account_action() -> impl Strategy<Value = AccountAction> {
    let (user, partner) = (0..5_usize, 0..3_usize);
    prop_oneof![
        2 => (0..4_usize).prop_map(|email| AccountAction::Register { email }),
        1 => user.clone().prop_map(|user| AccountAction::Confirm { user }),
        1 => user.clone().prop_map(|user| AccountAction::CreatePartner { user }),
        1 => (partner.clone(), prop::collection::vec(0..5_usize, 0..3))
            .prop_map(|(partner, users)| AccountAction::SetManagers { partner, users }),
        1 => partner.prop_map(|partner| AccountAction::CreateKey { partner }),
        1 => (0..3_usize).prop_map(|key| AccountAction::RemoveKey { key }),
        1 => (user, 0..4_u8).prop_map(|(user, hash)| AccountAction::LogIn { user, hash }),
        1 => (0..4_u8).prop_map(|hash| AccountAction::LogOut { hash }),
    ]
}
