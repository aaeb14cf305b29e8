//! What an act came to.

use kassa_domain::Refusal;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::key::ApiKey;
use kassa_domain::order::{OrderId, OrderOutcome};
use kassa_domain::partner::Partner;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::Set;
use kassa_domain::user::User;
use kassa_engine::Failure;
use kassa_engine::mail::Round;

/// What the engine answers.
pub type Answer = Result<Report, Failure>;

/// What a success shows.
#[derive(Clone, Debug)]
pub enum Report {
    /// There was nothing to act upon, or nothing to show.
    Nothing,
    /// A user as it is now.
    User(Box<User>),
    /// A partner as it is now.
    Partner(Box<Partner>),
    /// A key as it is now.
    Key(ApiKey),
    /// An event as it is now, and its sets where they changed with it.
    Event(Box<Event>, Vec<Set>),
    /// A set as it is now.
    Set(Box<Set>),
    /// A promocode as it is now.
    Promocode(Box<Promocode>),
    /// A promotion as it is now.
    Promotion(Box<Promotion>),
    /// A deal as it is now.
    Deal(Box<Deal>),
    /// An order as it is now, and what could not be had.
    Order(Box<OrderOutcome>),
    /// A refund request as it is now.
    Refund(Box<RefundRequest>),
    /// How many holds have ended.
    Expired(u64),
    /// Whether the hold of this order has ended now.
    ExpiredOne(OrderId, bool),
    /// What became of mails.
    Mails(Round),
}

/// What a command comes to.
pub trait Told {
    /// The same as a report.
    fn told(&self) -> Report;
}

macro_rules! told {
    ($($row:ty => $variant:ident,)*) => {
        $(impl Told for $row {
            fn told(&self) -> Report {
                Report::$variant(Box::new(self.clone()))
            }
        })*
    };
}
told! {
    User => User,
    Partner => Partner,
    Set => Set,
    Promocode => Promocode,
    Promotion => Promotion,
    Deal => Deal,
    OrderOutcome => Order,
    RefundRequest => Refund,
}

impl Told for () {
    fn told(&self) -> Report {
        Report::Nothing
    }
}

impl Told for ApiKey {
    fn told(&self) -> Report {
        Report::Key(self.clone())
    }
}

impl Told for Event {
    fn told(&self) -> Report {
        Report::Event(Box::new(self.clone()), Vec::new())
    }
}

impl Told for (Event, Vec<Set>) {
    fn told(&self) -> Report {
        Report::Event(Box::new(self.0.clone()), self.1.clone())
    }
}

/// A word for an answer: the code of a refusal, or what kind of failure it is.
pub fn word(answer: &Answer) -> &'static str {
    match answer {
        Ok(Report::Nothing) => "nothing",
        Ok(_) => "ok",
        Err(Failure::Refused(refusal)) => Refusal::code(refusal),
        Err(Failure::Busy) => "Busy",
        Err(Failure::Unavailable) => "Unavailable",
        Err(Failure::Internal(_)) => "Internal",
        Err(Failure::Answered(_)) => "Answered",
        Err(Failure::Shut) => "Shut",
    }
}
