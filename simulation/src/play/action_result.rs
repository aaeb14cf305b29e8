//! What an act came to.

use kassa_domain::Refusal;
use kassa_domain::api_key::ApiKey;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::order::{Order, OrderId, OrderOutcome};
use kassa_domain::partner::Partner;
use kassa_domain::payment::OrderPayment;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::TicketSet;
use kassa_domain::user::User;
use kassa_engine::Failure;
use kassa_engine::mail::DeliveryReport;

/// What the engine answers.
pub type ActionResult = Result<ActionReport, Failure>;

/// What a success shows.
#[derive(Clone, Debug)]
pub enum ActionReport {
    /// There was nothing to act upon, or nothing to show.
    Nothing,
    /// A user as it is now.
    User(Box<User>),
    /// A partner as it is now.
    Partner(Box<Partner>),
    /// A key as it is now.
    Key(ApiKey),
    /// An event as it is now, and its sets where they changed with it.
    Event(Box<Event>, Vec<TicketSet>),
    /// A set as it is now.
    Set(Box<TicketSet>),
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
    /// An order and its payment as they are now; an order that costs nothing has none.
    Payment(Box<Order>, Option<Box<OrderPayment>>),
    /// How many payments were looked at.
    Looked(u64),
    /// How many holds have ended.
    Expired(u64),
    /// Whether the hold of this order has ended now.
    ExpiredOne(OrderId, bool),
    /// What became of mails.
    Mails(DeliveryReport),
    /// It was answered before, under its key: what was kept of that.
    Replayed(Vec<u8>),
}

/// What a command comes to.
pub trait ToReport {
    /// The same as a report.
    fn to_report(&self) -> ActionReport;
}

macro_rules! impl_to_report {
    ($($row:ty => $variant:ident,)*) => {
        $(impl ToReport for $row {
            fn to_report(&self) -> ActionReport {
                ActionReport::$variant(Box::new(self.clone()))
            }
        })*
    };
}
impl_to_report! {
    User => User,
    Partner => Partner,
    TicketSet => Set,
    Promocode => Promocode,
    Promotion => Promotion,
    Deal => Deal,
    OrderOutcome => Order,
    RefundRequest => Refund,
}

impl ToReport for () {
    fn to_report(&self) -> ActionReport {
        ActionReport::Nothing
    }
}

impl ToReport for ApiKey {
    fn to_report(&self) -> ActionReport {
        ActionReport::Key(self.clone())
    }
}

impl ToReport for Event {
    fn to_report(&self) -> ActionReport {
        ActionReport::Event(Box::new(self.clone()), Vec::new())
    }
}

impl ToReport for (Event, Vec<TicketSet>) {
    fn to_report(&self) -> ActionReport {
        ActionReport::Event(Box::new(self.0.clone()), self.1.clone())
    }
}

/// A word for an answer: the code of a refusal, or what kind of failure it is.
pub fn result_label(answer: &ActionResult) -> &'static str {
    match answer {
        Ok(ActionReport::Nothing) => "nothing",
        Ok(ActionReport::Replayed(_)) => "replayed",
        Ok(_) => "ok",
        Err(Failure::Refused(refusal)) => Refusal::code(refusal),
        Err(Failure::Busy) => "Busy",
        Err(Failure::TooManyHeavy) => "TooManyHeavy",
        Err(Failure::TooManyAnswers { .. }) => "TooManyAnswers",
        Err(Failure::TooLarge) => "TooLarge",
        Err(Failure::Unavailable) => "Unavailable",
        Err(Failure::ReadTimeout) => "ReadTimeout",
        Err(Failure::Internal(_)) => "Internal",
    }
}
