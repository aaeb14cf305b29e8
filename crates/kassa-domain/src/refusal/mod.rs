//! Why a command was refused: one variant per reason, each with a stable code that clients may
//! branch on. A refusal is a value; it leaves nothing behind.

mod checkout;
mod credential_fault;
mod forbidden_reason;
mod promotion_levels;
mod refund;
mod seats;
mod shortfall;

pub use checkout::{CheckoutRefusal, FieldProblem};
pub use credential_fault::CredentialFault;
pub use forbidden_reason::ForbiddenReason;
pub use promotion_levels::LevelsRefusal;
pub use refund::RefundRefusal;
pub use seats::{SeatsRefusal, SingleSeat};
pub use shortfall::{Shortfall, ShortfallReason};

use crate::geo::{CityId, CountryId};
use crate::model::deal::DealStatus;
use crate::model::order::{HoldBound, OrderStatusKind};
use crate::model::payment::PaymentStatus;
use crate::model::quota::QuotaKind;
use crate::model::suspension::Inactivity;
use crate::values::email::Email;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{AttachmentId, SetId, TicketId};
use crate::values::time::Timestamp;

/// A reason to refuse. `Display` is the sentence shown to the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    // Who asks.
    /// The caller gave no credential where one is needed.
    #[error("This needs a credential: an API key in the Authorization header, or the cookie of a session")]
    CredentialRequired,
    /// The credential is wrong, removed or malformed.
    #[error(transparent)]
    CredentialInvalid(#[from] CredentialFault),
    /// The user registered with an e-mail that orders knew before; it must be confirmed first.
    #[error("The e-mail of this account must be confirmed before its first log-in")]
    EmailUnconfirmed,
    /// The password is right, and the account has a second factor.
    #[error("This account has a second factor: give a code of it in code")]
    SecondFactorRequired,
    /// The partner lets only those managers act for it that have a second factor.
    #[error("This partner requires a second factor of its users: set one up for your account, and log in with it")]
    PartnerRequiresSecondFactor,
    /// A user who manages several partners, or none, must say which one acts.
    #[error("You manage several partners, or none: give the id of the one to act for in the X-Partner header")]
    PartnerRequired,
    /// The user does not manage the partner that X-Partner names.
    #[error("You do not manage the partner that X-Partner names")]
    PartnerNotManaged,
    /// The partner that the user acts for may not act.
    #[error("The partner is {0}: nobody can act for it")]
    PartnerInactive(Inactivity),
    /// A write with a cookie came from a page of another origin.
    #[error("Changes with a session cookie must come from a page of this site")]
    CrossSite,
    /// The caller may read the resource, but not do this to it.
    #[error(transparent)]
    Forbidden(#[from] ForbiddenReason),
    /// There is no such resource, or the caller may not see it.
    #[error("The {0} was not found")]
    NotFound(&'static str),
    /// The resource is not as the caller expects it to be.
    #[error("The resource has changed: its ETag is none of those in If-Match")]
    PreconditionFailed,
    /// The caller has asked for something else under the same key.
    #[error("This Idempotency-Key was used for another request")]
    IdempotencyKeyReused,
    // Users and partners.
    /// Another user has this e-mail.
    #[error("A user with this e-mail exists already")]
    EmailTaken,
    /// The token that should confirm an e-mail is none, is too old, or is of another address.
    #[error("The token is invalid or has expired")]
    TokenInvalid,
    /// A change of e-mail or password needs the current password.
    #[error("The current password is required to change the e-mail or the password")]
    CurrentPasswordRequired,
    /// `current_password` is wrong.
    #[error("The current password is wrong")]
    CurrentPasswordWrong,
    /// The code of a second factor is wrong, or was used before.
    #[error("The code of the second factor is wrong, or was used already: wait for the next one")]
    SecondFactorCodeWrong,
    /// There is a second factor already.
    #[error("This account has a second factor already: remove it first")]
    SecondFactorActive,
    /// A user that the request names does not exist.
    #[error("User {0} not found")]
    UserUnknown(String),
    /// A partner always has an owner.
    #[error("A partner needs at least one user who owns it: leave one among its users")]
    LastManager,
    /// An invitation that was accepted cannot be declined.
    #[error("You have accepted this invitation: to leave the partner, take yourself out of its users")]
    InvitationAccepted,
    /// Nobody registers here by itself.
    #[error("Registration is closed: ask the operator for an account")]
    RegistrationClosed,
    /// Only invited addresses register here.
    #[error("Registration is by invitation: this e-mail has none")]
    RegistrationByInvitation,
    /// A list would grow beyond its limit.
    #[error("There can be at most {max} {what}")]
    TooMany {
        /// What there would be too many of.
        what: &'static str,
        /// How many there can be.
        max: u32,
    },
    /// A partner would store more than it may.
    #[error(
        "The quota of {} is {allowed}: {used} are used, and this takes {wanted} more. The operator of this server can \
         raise it",
        kind.description()
    )]
    QuotaExceeded {
        /// Of what.
        kind: QuotaKind,
        /// How much it stores.
        used: i64,
        /// How much more this would be.
        wanted: i64,
        /// How much it may store.
        allowed: i64,
    },

    // Catalogue.
    /// A body names an event that does not exist or that the caller may not see.
    #[error("Event {0} not found")]
    EventUnknown(String),
    /// A body names a venue that does not exist.
    #[error("Venue {0} not found")]
    VenueUnknown(String),
    /// A body names an attachment that does not exist or is not the caller's.
    #[error("Attachment {0} not found")]
    AttachmentUnknown(AttachmentId),
    /// What is shown as a picture must be one that a browser can only draw.
    #[error("Attachment {0} is not a png, jpeg, gif, webp or avif image")]
    AttachmentNotImage(AttachmentId),
    /// An attachment that shall be terms is no PDF.
    #[error("The attachment {0} is not a PDF")]
    AttachmentNotPdf(AttachmentId),
    /// An attachment that something shows cannot be removed.
    #[error("The {what} {id} shows this attachment: take it from there before you delete it")]
    AttachmentInUse {
        /// What shows it.
        what: &'static str,
        /// Which one.
        id: String,
    },
    /// A body names a hall map that does not exist or is of another venue.
    #[error("This venue has no map {0}")]
    MapUnknown(String),
    /// Seats that an event may sell must stay on the map.
    #[error(
        "An event on sale, or with tickets sold, has seats of this map: they can be moved and added to, but not removed"
    )]
    MapInUse,
    /// An event that occupies the venue takes place there.
    #[error("An event on sale, or with tickets sold, takes place at this venue")]
    VenueInUse,
    /// A body names a city that does not exist.
    #[error("City {0} not found")]
    CityUnknown(CityId),
    /// A body names a country that does not exist.
    #[error("Country {0} not found")]
    CountryUnknown(CountryId),
    /// A body names a city and a country that it does not lie in.
    #[error("City {0} is not in country {1}")]
    CityNotInCountry(CityId, CountryId),
    /// The event or set has live or paid orders.
    #[error("It cannot be removed while orders hold tickets or have paid for them")]
    HasOrders,
    /// A canceled event stays so.
    #[error("The event is canceled: its status cannot be changed any more")]
    EventCanceled,
    /// Only the clock finishes an event.
    #[error("The event is not over: it is finished when its lifetime has ended")]
    EventNotFinished,
    /// What is on sale must say when it takes place.
    #[error("An event needs a lifetime to be public")]
    LifetimeRequired,
    /// Price rules of one set overlap in time.
    #[error("Two price rules of a set must not hold at the same time")]
    RulesOverlap,
    /// A new price rule ends when it starts.
    #[error("A price rule must end after it starts")]
    RuleEmpty,
    /// A price rule under which tickets were sold is never changed.
    #[error("A price rule that has sold tickets cannot be changed: end it, and add another")]
    RuleSold,
    /// More tickets are held, sold or blocked than the new amount.
    #[error("The amount is less than the tickets that are held, sold or blocked")]
    AmountBelowSold,
    /// Tickets of this set, or of another that has had a seat, are still being made or taken away.
    #[error("Tickets of a set are still being created or removed: try again")]
    SetBusy,
    /// A ticket to be blocked is not vacant.
    #[error("Ticket {0} is held or sold: only vacant tickets can be blocked")]
    TicketNotVacant(TicketId),
    /// Seats that cannot be so.
    #[error(transparent)]
    Seats(#[from] SeatsRefusal),
    /// Another promocode of the event has this code.
    #[error("Another promocode of the event has this code")]
    PromocodeTaken,
    /// More orders hold or have used a promocode than its new amount.
    #[error("The amount is less than the uses that orders hold or have paid with")]
    AmountBelowUses,
    /// Two promotions of an event would run at one time for one set.
    #[error("Another promotion of the event runs at this time for one of these sets")]
    PromotionOverlap,
    /// Levels that a promotion cannot have.
    #[error(transparent)]
    PromotionLevels(#[from] LevelsRefusal),

    // Orders.
    /// The event does not sell: not public, over, or removed; or its organizer may not act.
    #[error(
        "The event is not on sale: it is not public, is over, was removed, or its organizer is suspended or removed"
    )]
    EventNotOnSale,
    /// The shares of a deal are more than the price.
    #[error("The shares of organizer and platform are more than what the customer pays")]
    TermsExceedPrice,
    /// An event that is over or canceled sells nothing more, under no deal.
    #[error("The event is over or canceled: there is nothing more to sell")]
    NothingToSell,
    /// A list of orders goes to nobody but the partner's own people.
    #[error("Lists of orders are mailed only to users of the partner whose e-mail is confirmed; {0} is none of these")]
    ExportAddress(Email),
    /// An organizer must say with whom it makes a deal.
    #[error("Name the agent of the deal in subj")]
    AgentRequired,
    /// An organizer needs no deal for its own event.
    #[error("An organizer sells its own event without a deal")]
    OwnEventNeedsNoDeal,
    /// A body names a partner that does not exist.
    #[error("Partner {0} not found")]
    PartnerUnknown(String),
    /// The deal cannot go from its status to that one.
    #[error("A deal that is {from} cannot become {to}")]
    DealTransition {
        /// Where it is.
        from: DealStatus,
        /// Where it should go.
        to: DealStatus,
    },
    /// Only the end of the event finishes a deal.
    #[error("The deal is not finished: it is when its event has ended")]
    DealNotFinished,
    /// There is no deal to sell under.
    #[error("You have no accepted deal to sell this event under")]
    DealUnknown,
    /// A ticket does not exist or belongs to another event.
    #[error("Ticket {0} does not exist, or is not for this event")]
    TicketUnknown(TicketId),
    /// A set does not exist or belongs to another event.
    #[error("Set {0} does not exist, or is not of this event")]
    SetUnknown(SetId),
    /// A ticket is named twice.
    #[error("Ticket {0} is named twice")]
    DuplicateTicket(TicketId),
    /// A set is named twice.
    #[error("Set {0} is named twice")]
    DuplicateSet(SetId),
    /// More tickets than one order may hold.
    #[error("An order for this event holds at most {0} tickets")]
    TicketsLimit(u32),
    /// Whoever buys for itself holds as much as may be held without being paid.
    #[error(transparent)]
    UnpaidLimit(HoldBound),
    /// Only some tickets may be dropped once payment has begun.
    #[error("Tickets cannot be added once the payment has begun")]
    TicketsFixed,
    /// The order's state allows no such change.
    #[error("The order is {0}: this change is no longer possible")]
    OrderFinal(OrderStatusKind),
    /// The order cannot go from its state to that one.
    #[error("An order that is {from} cannot become {to}")]
    OrderTransition {
        /// Where it is.
        from: OrderStatusKind,
        /// Where it should go.
        to: OrderStatusKind,
    },
    /// The order has no ticket.
    #[error("The order has no tickets: add some before it is paid")]
    OrderEmpty,
    /// A body names an order that does not exist or that the caller may not see.
    #[error("Order {0} not found")]
    OrderUnknown(String),
    /// A ticket is not one of the order's.
    #[error("Ticket {0} is not in the order")]
    TicketNotInOrder(TicketId),
    /// Once payment has begun, or after the end, nobody says how long the tickets are held.
    #[error("expired_after cannot be changed once payment has begun or the order has ended")]
    HoldFixed,
    /// An order cannot hold its tickets longer than its event lets it: until then.
    #[error("expired_after is later than the event allows")]
    HoldTooLong(Timestamp),
    /// The customer's e-mail is needed.
    #[error("The order needs the customer's e-mail before it can be paid")]
    CustomerEmailRequired,
    /// Something that the organizer or the seller asks for is missing or wrong.
    #[error(transparent)]
    Checkout(#[from] CheckoutRefusal),
    /// The event has no such promocode, or not at this time.
    #[error("The event has no promocode {0} that is valid now")]
    PromocodeUnknown(PromocodeText),
    /// The order has no ticket of the promocode's sets.
    #[error("Promocode {0} is for sets that the order has no tickets of")]
    PromocodeNotApplicable(PromocodeText),
    /// The promocode is for more tickets.
    #[error("Promocode {code} needs at least {min} tickets of its sets in the order")]
    PromocodeTooFewTickets {
        /// Which.
        code: PromocodeText,
        /// How many.
        min: u32,
    },
    /// The promocode is for fewer tickets.
    #[error("Promocode {code} allows at most {max} tickets of its sets in the order")]
    PromocodeTooManyTickets {
        /// Which.
        code: PromocodeText,
        /// How many.
        max: u32,
    },
    /// Other orders have used all uses of the promocode, or hold them.
    #[error("All uses of promocode {0} are taken")]
    PromocodeUsedUp(PromocodeText),
    /// Promocodes have to wait until the promotion is over.
    #[error("Promocodes cannot be added while a promotion of the event runs")]
    PromotionRunning,
    /// Invitations are the organizer's.
    #[error("Only the organizer can give tickets away as invitations")]
    InvitationForbidden,
    /// Money came late, and the tickets are gone.
    #[error("The order has expired and its tickets are gone")]
    TicketsGone,
    /// Money came late, and the uses of a promocode are gone.
    #[error("The order has expired and its promocode has been used up since")]
    PromocodeGone,
    /// The shop does not take money in this way.
    #[error("The shop does not take payments in this way: see its payments")]
    PaymentNotOffered,
    /// There is too little time for this way to pay.
    #[error("It is too late to pay in this way: choose another one")]
    PaymentTooLate,
    /// An amount that cannot have come or gone.
    #[error("The amount must be above zero, and of what goes back no more than what is to be returned")]
    PaymentAmount,
    /// Nobody but the provider says what has come and gone.
    #[error("The provider of this payment says what has come and gone")]
    PaymentByProvider,
    /// Nothing is to be said of a payment any more.
    #[error("The payment is {0} already")]
    PaymentDecided(PaymentStatus),
    /// No money is taken for an event that is canceled, nor late money for one that is over.
    #[error("The event is over or canceled: no money is taken for it")]
    EventOver,
    /// Tickets that are not given back.
    #[error(transparent)]
    Refund(#[from] RefundRefusal),

    // The house itself.
    /// Not a bad request: what was looked up before the decision has changed since. The engine
    /// looks again; callers see it only when that never ends.
    #[error("Others keep changing the resource: try again")]
    Stale,
}

impl Refusal {
    /// Whether it is said also where the resource is not as the caller expects it to be: it tells nothing of
    /// that to those who may not know it.
    pub fn precedes_preconditions(&self) -> bool {
        matches!(
            self,
            Self::CredentialRequired
                | Self::CredentialInvalid(_)
                | Self::PartnerRequired
                | Self::PartnerRequiresSecondFactor
                | Self::PartnerNotManaged
                | Self::PartnerInactive(_)
                | Self::CrossSite
                | Self::Forbidden(_)
                | Self::NotFound(_)
                | Self::IdempotencyKeyReused
                | Self::Stale
        )
    }

    /// The stable, machine-readable code: part of the interface.
    #[expect(clippy::too_many_lines, reason = "a table, with a line for each code")]
    pub fn code(&self) -> &'static str {
        match self {
            Self::CredentialRequired => "credential_required",
            Self::CredentialInvalid(_) => "credential_invalid",
            Self::EmailUnconfirmed => "email_unconfirmed",
            Self::SecondFactorRequired => "second_factor_required",
            Self::PartnerRequiresSecondFactor => "partner_requires_second_factor",
            Self::PartnerRequired => "partner_required",
            Self::PartnerNotManaged => "partner_foreign",
            Self::PartnerInactive(_) => "partner_inactive",
            Self::CrossSite => "cross_site",
            Self::Forbidden(_) => "forbidden",
            Self::NotFound(_) => "not_found",
            Self::PreconditionFailed => "precondition_failed",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::EmailTaken => "email_taken",
            Self::TokenInvalid => "token_invalid",
            Self::CurrentPasswordRequired => "current_password_required",
            Self::CurrentPasswordWrong => "current_password_wrong",
            Self::SecondFactorCodeWrong => "second_factor_code_wrong",
            Self::SecondFactorActive => "second_factor_active",
            Self::UserUnknown(_) => "user_not_found",
            Self::LastManager => "last_manager",
            Self::InvitationAccepted => "invitation_accepted",
            Self::RegistrationClosed => "registration_closed",
            Self::RegistrationByInvitation => "registration_by_invitation",
            Self::TooMany { .. } => "too_many",
            Self::QuotaExceeded { .. } => "quota_exceeded",
            Self::EventUnknown(_) => "event_not_found",
            Self::VenueUnknown(_) => "venue_not_found",
            Self::AttachmentUnknown(_) => "attachment_not_found",
            Self::AttachmentInUse { .. } => "attachment_in_use",
            Self::AttachmentNotPdf(_) => "attachment_not_pdf",
            Self::AttachmentNotImage(_) => "attachment_not_image",
            Self::MapUnknown(_) => "map_not_found",
            Self::MapInUse => "map_in_use",
            Self::VenueInUse => "venue_in_use",
            Self::CityUnknown(_) => "city_not_found",
            Self::CountryUnknown(_) => "country_not_found",
            Self::CityNotInCountry(..) => "city_not_in_country",
            Self::HasOrders => "has_orders",
            Self::EventCanceled => "event_canceled",
            Self::EventNotFinished => "event_not_finished",
            Self::LifetimeRequired => "lifetime_required",
            Self::RulesOverlap => "rules_overlap",
            Self::RuleEmpty => "rule_empty",
            Self::RuleSold => "rule_sold",
            Self::AmountBelowSold => "amount_below_sold",
            Self::SetBusy => "set_busy",
            Self::TicketNotVacant(_) => "ticket_not_vacant",
            Self::Seats(refusal) => refusal.code(),
            Self::PromocodeTaken => "promocode_taken",
            Self::AmountBelowUses => "amount_below_uses",
            Self::PromotionOverlap => "promotion_overlap",
            Self::PromotionLevels(_) => "promotion_levels",
            Self::EventNotOnSale => "event_not_on_sale",
            Self::TermsExceedPrice => "terms_exceed_price",
            Self::ExportAddress(_) => "email_not_allowed",
            Self::AgentRequired => "agent_required",
            Self::OwnEventNeedsNoDeal => "deal_with_oneself",
            Self::PartnerUnknown(_) => "partner_not_found",
            Self::DealTransition { .. } | Self::DealNotFinished => "deal_transition",
            Self::DealUnknown => "deal_not_found",
            Self::TicketUnknown(_) => "ticket_not_found",
            Self::SetUnknown(_) => "set_not_found",
            Self::DuplicateTicket(_) => "ticket_twice",
            Self::DuplicateSet(_) => "set_twice",
            Self::TicketsLimit(_) => "tickets_limit",
            Self::UnpaidLimit(_) => "unpaid_limit",
            Self::TicketsFixed => "tickets_fixed",
            Self::OrderFinal(_) => "order_final",
            Self::OrderTransition { .. } => "order_transition",
            Self::OrderEmpty => "order_empty",
            Self::OrderUnknown(_) => "order_not_found",
            Self::TicketNotInOrder(_) => "ticket_not_in_order",
            Self::HoldFixed => "expired_after_fixed",
            Self::HoldTooLong(_) => "expired_after_limit",
            Self::CustomerEmailRequired => "customer_email_required",
            Self::Checkout(refusal) => refusal.code(),
            Self::PromocodeUnknown(_) => "promocode_not_found",
            Self::PromocodeNotApplicable(_) | Self::PromocodeTooManyTickets { .. } => "promocode_apply_info",
            Self::PromocodeTooFewTickets { .. } => "promocode_limit_min_tickets",
            Self::PromocodeUsedUp(_) => "promocode_already_used",
            Self::PromotionRunning => "promotion_runs",
            Self::InvitationForbidden => "invitation_forbidden",
            Self::TicketsGone => "tickets_gone",
            Self::PromocodeGone => "promocode_gone",
            Self::PaymentNotOffered => "payment_not_offered",
            Self::PaymentTooLate => "payment_too_late",
            Self::PaymentAmount => "payment_amount",
            Self::PaymentByProvider => "payment_by_provider",
            Self::PaymentDecided(_) => "payment_decided",
            Self::EventOver => "event_over",
            Self::Refund(refusal) => refusal.code(),
            Self::NothingToSell => "nothing_to_sell",
            Self::Stale => "stale",
        }
    }
}
