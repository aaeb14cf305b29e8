//! How many mails that one can have sent to others leave in an hour. What is too much is not lost: it waits.

use std::fmt;

use kassa_domain::Timestamp;
use kassa_domain::mail::{Mail, MailContent};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};

use crate::metrics::Limit;
use crate::rate_limiter::{Rate, RateLimiter};

/// The longest pause before a mail that was too much is looked at again.
const POSTPONED_MS_MAX: i64 = 60 * 60 * 1_000;

/// How many mails leave in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailRates {
    /// Tickets, and how they are paid, that one partner sends to one address.
    pub tickets: Rate,
    /// Invitations by one user for all of its partners.
    pub invitations: Rate,
}

impl MailRates {
    /// No limits.
    pub const OFF: Self = Self { tickets: Rate::OFF, invitations: Rate::OFF };
}

impl Default for MailRates {
    fn default() -> Self {
        Self { tickets: Rate::per_hour(20), invitations: Rate::per_hour(20) }
    }
}

/// What a mail counts against.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum MailSource {
    /// A partner that sends tickets, or how they are paid, to an address. How many addresses it sends to is not limited: an
    /// on-sale has thousands in minutes.
    Tickets(PartnerId, Email),
    /// A user that invites.
    Inviter(UserId),
    /// A partner that nobody has founded, and that invites with a key.
    InvitingPartner(PartnerId),
}

impl MailSource {
    /// `None` for mails that are not counted here.
    fn of(mail: &Mail) -> Option<Self> {
        // What was tried before has been counted.
        let partner = mail.partner.filter(|_| mail.attempts == 0)?;
        match &mail.content {
            MailContent::Tickets { .. } | MailContent::PaymentInstructions { .. } => {
                Some(Self::Tickets(partner, mail.to.clone()))
            }
            MailContent::Invitation { inviter: Some(user), .. } => Some(Self::Inviter(*user)),
            MailContent::Invitation { inviter: None, .. } => Some(Self::InvitingPartner(partner)),
            MailContent::ConfirmEmail { .. }
            | MailContent::ResetPassword
            | MailContent::OrderLinks
            | MailContent::Export(_)
            | MailContent::Webhook { .. } => None,
        }
    }
}

/// What this server has sent lately.
pub struct MailLimits {
    tickets: RateLimiter<MailSource>,
    invitations: RateLimiter<MailSource>,
}

impl fmt::Debug for MailLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailLimits").finish_non_exhaustive()
    }
}

/// A mail that is too much for now.
pub(super) struct TooManyMails {
    pub(super) limit: Limit,
    /// When to look at it again.
    pub(super) until: Timestamp,
}

impl MailLimits {
    /// Nothing was sent yet.
    pub fn new(rates: MailRates) -> Self {
        Self { tickets: RateLimiter::per_hour(rates.tickets), invitations: RateLimiter::per_hour(rates.invitations) }
    }

    /// Allows other rates from now on.
    pub fn set_rates(&self, rates: MailRates) {
        self.tickets.set_rate(rates.tickets);
        self.invitations.set_rate(rates.invitations);
    }

    /// Counts a mail, if it may leave now.
    pub(super) fn try_acquire(&self, mail: &Mail, now: Timestamp) -> Result<(), TooManyMails> {
        let Some(source) = MailSource::of(mail) else { return Ok(()) };
        let (limiter, limit) = self.limiter_of(&source);
        limiter.try_acquire(&source, now).map_err(|exceeded| {
            let wait_ms = i64::try_from(exceeded.wait_s).unwrap_or(i64::MAX).saturating_mul(1_000);
            // Those that have waited long are many: they are not looked at all the time.
            let pause_ms = ((now.ms() - mail.created_at.ms()) / 4).max(wait_ms).min(POSTPONED_MS_MAX);
            TooManyMails { limit, until: now.plus_ms(pause_ms) }
        })
    }

    /// Counts a mail no more: somebody else sends it.
    pub(super) fn give_back(&self, mail: &Mail, now: Timestamp) {
        if let Some(source) = MailSource::of(mail) {
            self.limiter_of(&source).0.give_back(&source, now);
        }
    }

    fn limiter_of(&self, source: &MailSource) -> (&RateLimiter<MailSource>, Limit) {
        match source {
            MailSource::Tickets(..) => (&self.tickets, Limit::TicketsMails),
            MailSource::Inviter(_) | MailSource::InvitingPartner(_) => (&self.invitations, Limit::InvitationMails),
        }
    }
}
