//! The commands of a play.
#![expect(missing_docs, reason = "the fields are those of the commands, and numbers name the nth of what is there")]

mod random;

pub use random::{action, concurrent_action, housekeeping_action, trading_action};

use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use kassa_domain::order::OrderTransition;
use kassa_domain::payment::{PaymentProvider, TestOutcome};
use kassa_domain::refund::{Culprit, RefundTransition};

/// One command, or one thing that the server does by itself. Numbers name the nth of what is there.
#[derive(Clone, Debug)]
pub enum Action {
    Account(AccountAction),
    Event(EventAction),
    Set {
        set: usize,
        act: SetAction,
    },
    Promocode(PromocodeAction),
    Promotion(PromotionAction),
    Refund(RefundAction),
    Deal(DealAction),
    /// The organizer sells, or one of the partners as its agent.
    Sale {
        event: usize,
        agent: Option<usize>,
        choice: TicketChoice,
        codes: Option<PromocodeChoice>,
        email: Option<usize>,
    },
    ChangeOrder {
        order: usize,
        act: OrderAction,
    },
    Payment(PaymentAction),
    AdvanceClock {
        minutes: i64,
    },
    /// All holds that are due end.
    ExpireDue,
    /// Housekeeping has read that a hold is due; it may not be any more.
    ExpireOne {
        order: usize,
    },
    RunJobs,
    /// Providers are asked about all payments that are due, and send back what has bought nothing.
    LookAtPayments,
    SendMails,
    /// What was committed gets its place in the feed.
    PlaceChanges,
}

/// What is done to accounts, partners, keys and sessions.
#[derive(Clone, Debug)]
pub enum AccountAction {
    Register { email: usize },
    Confirm { user: usize },
    CreatePartner { user: usize },
    SetManagers { partner: usize, users: Vec<usize> },
    CreateKey { partner: usize },
    RemoveKey { key: usize },
    LogIn { user: usize, hash: u8 },
    LogOut { hash: u8 },
}

/// What an organizer does to an event.
#[derive(Clone, Debug)]
pub enum EventAction {
    Create { partner: usize },
    SetStatus { event: usize, status: EventStatus },
    SetLifetime { event: usize, minutes: i64 },
    SetRefundPolicy { event: usize, kept: i64, days_before: u32, after_start: bool },
    Remove { event: usize },
    AddSet { event: usize, amount: u32, price: i64 },
    AddHall { event: usize, chairs: u16, price: i64 },
}

/// What an organizer does to a set.
#[derive(Clone, Debug)]
pub enum SetAction {
    Resize { amount: u32 },
    ChangeSeating { chairs: u16 },
    ChangePrice { price: i64 },
    Block { places: Vec<usize> },
    Remove,
}

/// What is done about tickets that are given back.
#[derive(Clone, Debug)]
pub enum RefundAction {
    Request { order: usize, culprit: Culprit, places: Vec<usize>, keeps: bool },
    Decide { request: usize, step: RefundTransition },
}

/// What is done about payments of orders, and the money that comes by them.
#[derive(Clone, Debug)]
pub enum PaymentAction {
    /// The customer begins one, or changes the way to pay.
    Begin { order: usize, provider: PaymentProvider },
    /// The customer says how a test shall end.
    PlanTest { payment: usize, outcome: TestOutcome },
    /// So many percent of the amount come: the provider tells what it has in all, or the vendor finds it in a statement.
    Pay { payment: usize, percent: i64, entry: Option<u8> },
    /// The provider says that nothing comes.
    Decline { payment: usize },
    /// The vendor sends back what is to go back.
    GiveBack { payment: usize },
}

/// What is done about deals of agents.
#[derive(Clone, Debug)]
pub enum DealAction {
    /// The organizer offers one, or the agent proposes one.
    Create {
        event: usize,
        agent: usize,
        offered: bool,
        org: i64,
        extra: i64,
        pfc: bool,
    },
    Decide {
        deal: usize,
        by_agent: bool,
        status: DealStatus,
    },
}

/// What an organizer does to promocodes. They are called by numbers.
#[derive(Clone, Debug)]
pub enum PromocodeAction {
    Create { event: usize, code: usize, set: Option<usize>, percent: i64, min: u32, amount: Option<u32> },
    Update { promocode: usize, amount: Option<u32>, minutes: i64 },
}

/// What an organizer does to promotions.
#[derive(Clone, Debug)]
pub enum PromotionAction {
    Create { event: usize, set: Option<usize>, by_sum: bool, minutes: i64, levels: Vec<(u32, u32)> },
    Update { promotion: usize, minutes: i64, levels: Option<Vec<(u32, u32)>> },
    Remove { promotion: usize },
}

/// What a vendor does to an order.
#[derive(Clone, Debug)]
pub enum OrderAction {
    SetTickets { choice: TicketChoice, all_or_nothing: bool },
    SetPromocodes(PromocodeChoice),
    Invite { email: usize },
    Transition(OrderTransition),
}

/// The promocodes that an order shall name.
#[derive(Clone, Debug)]
pub struct PromocodeChoice {
    pub codes: Vec<usize>,
    pub skips_unusable: bool,
}

/// What an order shall hold.
#[derive(Clone, Debug)]
pub enum TicketChoice {
    /// So many of some sets, each named once.
    Random(Vec<(usize, u32)>),
    /// So many of one set, which is named that often.
    SameSet(Vec<u32>),
    /// Certain tickets.
    Tickets(Vec<usize>),
}

impl Action {
    /// A word for acts of its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Account(_) => "account",
            Self::Event(_) => "event",
            Self::Set { .. } => "set",
            Self::Promocode(_) => "promocode",
            Self::Promotion(_) => "promotion",
            Self::Refund(_) => "refund",
            Self::Deal(_) => "deal",
            Self::Sale { .. } => "sale",
            Self::ChangeOrder { .. } => "change",
            Self::Payment(_) => "payment",
            Self::LookAtPayments => "look",
            Self::AdvanceClock { .. } => "wait",
            Self::ExpireDue | Self::ExpireOne { .. } => "expiry",
            Self::RunJobs => "jobs",
            Self::SendMails => "mails",
            Self::PlaceChanges => "feed",
        }
    }
}

impl PaymentAction {
    /// Which of the payments; `None` where one is begun.
    pub(crate) fn payment(&self) -> Option<usize> {
        match self {
            Self::Begin { .. } => None,
            Self::PlanTest { payment, .. }
            | Self::Pay { payment, .. }
            | Self::Decline { payment }
            | Self::GiveBack { payment } => Some(*payment),
        }
    }
}

impl EventAction {
    /// Which of the events.
    pub(crate) fn event(&self) -> usize {
        match self {
            Self::Create { .. } => 0,
            Self::SetStatus { event, .. }
            | Self::SetLifetime { event, .. }
            | Self::SetRefundPolicy { event, .. }
            | Self::Remove { event }
            | Self::AddSet { event, .. }
            | Self::AddHall { event, .. } => *event,
        }
    }
}

/// A partner with a public event of three sets, one with seats, and a promocode: most plays need one.
pub fn setup_actions() -> Vec<Action> {
    vec![
        Action::Account(AccountAction::Register { email: 0 }),
        Action::Account(AccountAction::CreatePartner { user: 0 }),
        Action::Event(EventAction::Create { partner: 0 }),
        Action::Event(EventAction::AddSet { event: 0, amount: 8, price: 1_000 }),
        Action::Event(EventAction::AddSet { event: 0, amount: 3, price: 0 }),
        Action::Event(EventAction::AddHall { event: 0, chairs: 0b11_1011, price: 500 }),
        Action::Event(EventAction::SetStatus { event: 0, status: EventStatus::Public }),
        Action::Promocode(PromocodeAction::Create {
            event: 0,
            code: 0,
            set: None,
            percent: 30,
            min: 0,
            amount: Some(2),
        }),
    ]
}
