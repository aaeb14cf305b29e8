//! Why a caller may not do what it asks for.

use crate::model::role::{Capability, Role};

/// Why a caller may not do something to what it may see: who may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForbiddenReason {
    /// It is for the command line beside the data.
    #[error("Only an operator of the platform can do this")]
    OperatorOnly,
    /// The account is another user's.
    #[error("You can change only your own account, with its session")]
    OwnAccountOnly,
    /// The account has no password that works yet.
    #[error("This account is not open: its user must register and confirm the e-mail first")]
    AccountNotOpen,
    /// An invitation is accepted by who has proved to have the invited e-mail.
    #[error("Confirm the e-mail that was invited before you accept the invitation")]
    EmailNotConfirmed,
    /// A partner is made by the user who is to manage it.
    #[error("Only a user who is logged in can create a partner")]
    UserOnly,
    /// The partner is not the caller's.
    #[error("Only the partner's own users and keys can change it")]
    PartnerOnly,
    /// Whoever has no second factor, or is a key, would lock others out, or let them in.
    #[error("Only a user who has a second factor can change whether the partner requires one")]
    SecondFactorHoldersOnly,
    /// The caller does not act for the partner in whose name something should be done.
    #[error("You can do this only for a partner of your own")]
    OwnPartnerOnly,
    /// The venue is another partner's.
    #[error("Only the partner that created the venue can change it and its maps")]
    VenueOwnerOnly,
    /// The event is another organizer's.
    #[error("Only the organizer can change the event, its sets, promocodes and promotions")]
    OrganizerOnly,
    /// The order is another vendor's.
    #[error("Only the vendor can change the order; the organizer can only cancel it")]
    VendorOnly,
    /// The caller neither sold the order nor organizes its event.
    #[error("Only the vendor and the organizer can request a refund for the order")]
    VendorOrOrganizerOnly,
    /// The refund is for the organizer to decide.
    #[error("Only the organizer can decide on the refund request")]
    RefundOrganizerOnly,
    /// An agent proposed a deal for another one.
    #[error("Only the organizer can name another agent in subj: leave it out to propose a deal for yourself")]
    DealForAnother,
    /// The proposal of an agent is for the organizer to answer.
    #[error("Only the organizer can accept or decline the deal")]
    DealOrganizerOnly,
    /// The proposal is the agent's.
    #[error("Only the agent can revoke the deal")]
    DealAgentOnly,
    /// Whoever buys for itself orders tickets, and does nothing in the name of a partner.
    #[error("A visitor of a shop and the holder of an order's link can only order, pay and use tickets")]
    ShoppersOnlyBuy,
    /// The partner sells by its own programs and people only.
    #[error("The shop of this partner is closed")]
    ShopClosed,
    /// The token of a shop sells one event.
    #[error("This token is for another event")]
    AnotherEvent,
    /// An order's customer changes some of it, and its vendor the rest.
    #[error("The link of an order does not let its holder change {0}: ask the seller")]
    VendorChangesOnly(&'static str),
    /// The user's role in the partner does not have that.
    #[error("Your role in this partner is {role}, which cannot {needs}")]
    RoleLacks {
        /// The role.
        role: Role,
        /// What it takes.
        needs: Capability,
    },
    /// What happened to a row is for the partners whose own it is.
    #[error("Only the partners that it belongs to can read its history")]
    OwnHistoryOnly,
}
