//! The commands of a play.
#![expect(missing_docs, reason = "the fields are those of the commands, and numbers name the nth of what is there")]

mod random;

pub use random::{act, act_in_a_crowd, trade};

use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use kassa_domain::order::Step;
use kassa_domain::refund::{Culprit, RefundStep};

/// One command, or one thing that the server does by itself. Numbers name the nth of what is there.
#[derive(Clone, Debug)]
pub enum Act {
    Account(AccountAct),
    Event(EventAct),
    Set {
        set: usize,
        act: SetAct,
    },
    Promocode(PromocodeAct),
    Promotion(PromotionAct),
    Refund(RefundAct),
    Deal(DealAct),
    /// The organizer sells, or one of the partners as its agent.
    Sale {
        event: usize,
        agent: Option<usize>,
        wish: Wish,
        codes: Option<Codes>,
        email: Option<usize>,
    },
    Change {
        order: usize,
        act: ChangeAct,
    },
    Wait {
        minutes: i64,
    },
    /// All holds that are due end.
    Expire,
    /// The house has seen that a hold is due, or believes so.
    ExpireOne {
        order: usize,
    },
    RunJobs,
    SendMails,
}

/// What is done to accounts, partners, keys and sessions.
#[derive(Clone, Debug)]
pub enum AccountAct {
    Register { email: usize },
    Confirm { user: usize },
    CreatePartner { user: usize },
    Managers { partner: usize, users: Vec<usize> },
    CreateKey { partner: usize },
    RemoveKey { key: usize },
    LogIn { user: usize, hash: u8 },
    LogOut { hash: u8 },
}

/// What an organizer does to an event.
#[derive(Clone, Debug)]
pub enum EventAct {
    Create { partner: usize },
    Status { event: usize, status: EventStatus },
    Lifetime { event: usize, minutes: i64 },
    Policy { event: usize, kept: i64, days_before: u32, after_start: bool },
    Remove { event: usize },
    AddSet { event: usize, amount: u32, price: i64 },
    AddHall { event: usize, chairs: u16, price: i64 },
}

/// What an organizer does to a set.
#[derive(Clone, Debug)]
pub enum SetAct {
    Resize { amount: u32 },
    Reseat { chairs: u16 },
    Reprice { price: i64 },
    Block { places: Vec<usize> },
    Remove,
}

/// What is done about tickets that are given back.
#[derive(Clone, Debug)]
pub enum RefundAct {
    Ask { order: usize, culprit: Culprit, places: Vec<usize>, keeps: bool },
    Decide { request: usize, step: RefundStep },
}

/// What is done about deals of agents.
#[derive(Clone, Debug)]
pub enum DealAct {
    /// The organizer offers one, or the agent proposes one.
    Make {
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
pub enum PromocodeAct {
    Create { event: usize, code: usize, set: Option<usize>, percent: i64, min: u32, amount: Option<u32> },
    Amend { promocode: usize, amount: Option<u32>, minutes: i64 },
}

/// What an organizer does to promotions.
#[derive(Clone, Debug)]
pub enum PromotionAct {
    Create { event: usize, set: Option<usize>, by_sum: bool, minutes: i64, levels: Vec<(u32, u32)> },
    Amend { promotion: usize, minutes: i64, levels: Option<Vec<(u32, u32)>> },
    Remove { promotion: usize },
}

/// What a vendor does to an order.
#[derive(Clone, Debug)]
pub enum ChangeAct {
    Tickets { wish: Wish, all_or_nothing: bool },
    Codes(Codes),
    Invite { email: usize },
    Step(Step),
}

/// The promocodes that an order shall name.
#[derive(Clone, Debug)]
pub struct Codes {
    pub named: Vec<usize>,
    pub leaves_out: bool,
}

/// What an order shall hold.
#[derive(Clone, Debug)]
pub enum Wish {
    /// So many of some sets, each named once.
    Random(Vec<(usize, u32)>),
    /// So many of one set, which is named that often.
    SameSet(Vec<u32>),
    /// Certain tickets.
    Tickets(Vec<usize>),
}

impl Act {
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
            Self::Change { .. } => "change",
            Self::Wait { .. } => "wait",
            Self::Expire | Self::ExpireOne { .. } => "expiry",
            Self::RunJobs => "jobs",
            Self::SendMails => "mails",
        }
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

/// A partner with a public event of three sets, one with seats, and a promocode: most plays need one.
pub fn stage() -> Vec<Act> {
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
