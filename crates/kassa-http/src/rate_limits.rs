//! What may not be done as often as one likes. Each server counts for itself, in memory.

use kassa_domain::Actor;
use kassa_domain::order::OrderId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, UserId};

use crate::error::ApiError;
use crate::peer::ClientNetwork;
pub use kassa_engine::rate_limiter::{InvalidRate, Rate};
pub(crate) use kassa_engine::rate_limiter::{RateAccount, RateLimitExceeded, RateLimiter};

/// How often things may be done in a minute; in an hour, what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Log-ins of one address.
    pub log_ins: Rate,
    /// Wrong passwords for one e-mail; as many, in the sessions of one user, when it changes its own.
    pub log_in_failures: Rate,
    /// Registrations of one address.
    pub registrations: Rate,
    /// Mails to one e-mail that ask for its confirmation.
    pub confirmations_of_email: Rate,
    /// Requests of one address to reset a password.
    pub password_resets: Rate,
    /// Mails to one e-mail that reset a password.
    pub password_resets_of_email: Rate,
    /// Checks of promocodes by one partner, with all its keys and in the sessions of its users.
    pub promocode_checks: Rate,
    /// Lists of orders that one partner has mailed, in an hour.
    pub exports: Rate,
    /// Tests of webhooks by one partner: each is a request to whatever server it names.
    pub webhook_tests: Rate,
    /// Orders of one vendor without tickets, and further customers of its orders, in an hour.
    pub empty_orders: Rate,
    /// Bytes of names and descriptions that one partner sends for its events and their sets, in an hour.
    pub text_bytes: Rate,
    /// Changes of one user's e-mail, in an hour.
    pub email_changes: Rate,
    /// Orders that visitors of shops make from one address, in an hour.
    pub shop_orders: Rate,
    /// Changes of orders by whoever has their links, from one address, in an hour: each may try a promocode.
    pub shop_changes: Rate,
    /// E-mails that whoever has the link of an order replaces in it, in an hour.
    pub shop_emails: Rate,
    /// Requests of one address to have links of orders mailed.
    pub order_links: Rate,
    /// Mails to one e-mail with the links of its orders, in an hour.
    pub order_links_of_email: Rate,
    /// Requests with one key, of any kind.
    pub key_requests: Rate,
}

impl RateLimits {
    /// No limits.
    pub const OFF: Self = Self {
        log_ins: Rate::OFF,
        log_in_failures: Rate::OFF,
        registrations: Rate::OFF,
        confirmations_of_email: Rate::OFF,
        password_resets: Rate::OFF,
        password_resets_of_email: Rate::OFF,
        promocode_checks: Rate::OFF,
        exports: Rate::OFF,
        webhook_tests: Rate::OFF,
        empty_orders: Rate::OFF,
        text_bytes: Rate::OFF,
        email_changes: Rate::OFF,
        shop_orders: Rate::OFF,
        shop_changes: Rate::OFF,
        shop_emails: Rate::OFF,
        order_links: Rate::OFF,
        order_links_of_email: Rate::OFF,
        key_requests: Rate::OFF,
    };
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            log_ins: Rate::per_minute(30),
            log_in_failures: Rate::per_minute(10),
            registrations: Rate::per_minute(30),
            confirmations_of_email: Rate::per_minute(5),
            password_resets: Rate::per_minute(10),
            password_resets_of_email: Rate::per_minute(1),
            promocode_checks: Rate::per_minute(60),
            exports: Rate::per_hour(20),
            webhook_tests: Rate::per_minute(30),
            empty_orders: Rate::per_hour(5_000),
            text_bytes: Rate::per_hour(64 * 1024 * 1024),
            email_changes: Rate::per_hour(10),
            shop_orders: Rate::per_hour(120),
            shop_changes: Rate::per_hour(1_200),
            shop_emails: Rate::per_hour(10),
            order_links: Rate::per_minute(10),
            order_links_of_email: Rate::per_hour(4),
            key_requests: Rate::OFF,
        }
    }
}

/// Wrong codes of a second factor of one user, in an hour: a code has a million values, of which three are right at a
/// time, and whoever has the password must not try them for long.
const WRONG_CODES_PER_HOUR: Rate = Rate::per_hour(10);
/// Wrong codes of a second factor of one user, in a day.
const WRONG_CODES_PER_DAY: Rate = Rate::per_day(30);

/// Mails with the tickets of one order that its vendor asks for, in an hour.
const RESENT_TICKETS_PER_HOUR: Rate = Rate::per_hour(10);

/// Whose checks of promocodes are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PromocodeChecker {
    /// Whoever acts for a partner: more keys give no more checks.
    Partner(PartnerId),
    /// Who acts for none, or does not say for which.
    User(UserId),
    /// Visitors of shops, by their address.
    Network(ClientNetwork),
}

impl PromocodeChecker {
    /// `None` for callers that are not counted.
    pub(crate) fn of(actor: &Actor, network: Option<ClientNetwork>) -> Option<Self> {
        match actor.acting_partner() {
            Ok(partner) => Some(Self::Partner(partner)),
            Err(_) if actor.is_shopper() => network.map(Self::Network),
            Err(_) => actor.user().map(|user| Self::User(user.user)),
        }
    }
}

/// Whose password is tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PasswordTarget {
    /// At a log-in, by its e-mail: whether there is such a user is told to nobody.
    Email(Email),
    /// In a session, which need not be its user's own.
    User(UserId),
}

/// What was done lately.
pub(crate) struct RateLimiters {
    pub(crate) log_ins: RateLimiter<ClientNetwork>,
    pub(crate) log_in_failures: RateLimiter<PasswordTarget>,
    /// Both are off only with all other limits.
    pub(crate) wrong_codes_of_hour: RateLimiter<UserId>,
    pub(crate) wrong_codes_of_day: RateLimiter<UserId>,
    pub(crate) registrations: RateLimiter<ClientNetwork>,
    pub(crate) confirmations_of_email: RateLimiter<Email>,
    pub(crate) password_resets: RateLimiter<ClientNetwork>,
    pub(crate) password_resets_of_email: RateLimiter<Email>,
    pub(crate) promocode_checks: RateLimiter<PromocodeChecker>,
    pub(crate) exports: RateLimiter<PartnerId>,
    pub(crate) webhook_tests: RateLimiter<PartnerId>,
    pub(crate) empty_orders: RateLimiter<PartnerId>,
    pub(crate) text_bytes: RateLimiter<PartnerId>,
    pub(crate) email_changes: RateLimiter<UserId>,
    pub(crate) shop_orders: RateLimiter<ClientNetwork>,
    pub(crate) shop_changes: RateLimiter<ClientNetwork>,
    pub(crate) shop_emails: RateLimiter<OrderId>,
    /// It is off only with all other limits.
    pub(crate) resent_tickets: RateLimiter<OrderId>,
    pub(crate) order_links: RateLimiter<ClientNetwork>,
    pub(crate) order_links_of_email: RateLimiter<Email>,
    /// By the token of the key, of which the limiter keeps a hash.
    pub(crate) key_requests: RateLimiter<String>,
}

impl RateLimiters {
    pub(crate) fn new(rates: &RateLimits) -> Self {
        let unless_off = |rate| if *rates == RateLimits::OFF { Rate::OFF } else { rate };
        Self {
            log_ins: RateLimiter::new(rates.log_ins),
            log_in_failures: RateLimiter::new(rates.log_in_failures),
            wrong_codes_of_hour: RateLimiter::per_hour(unless_off(WRONG_CODES_PER_HOUR)),
            wrong_codes_of_day: RateLimiter::per_day(unless_off(WRONG_CODES_PER_DAY)),
            registrations: RateLimiter::new(rates.registrations),
            confirmations_of_email: RateLimiter::new(rates.confirmations_of_email),
            password_resets: RateLimiter::new(rates.password_resets),
            password_resets_of_email: RateLimiter::new(rates.password_resets_of_email),
            promocode_checks: RateLimiter::new(rates.promocode_checks),
            exports: RateLimiter::per_hour(rates.exports),
            webhook_tests: RateLimiter::new(rates.webhook_tests),
            empty_orders: RateLimiter::per_hour(rates.empty_orders),
            text_bytes: RateLimiter::per_hour(rates.text_bytes),
            email_changes: RateLimiter::per_hour(rates.email_changes),
            shop_orders: RateLimiter::per_hour(rates.shop_orders),
            shop_changes: RateLimiter::per_hour(rates.shop_changes),
            shop_emails: RateLimiter::per_hour(rates.shop_emails),
            resent_tickets: RateLimiter::per_hour(unless_off(RESENT_TICKETS_PER_HOUR)),
            order_links: RateLimiter::new(rates.order_links),
            order_links_of_email: RateLimiter::per_hour(rates.order_links_of_email),
            key_requests: RateLimiter::new(rates.key_requests),
        }
    }

    /// Allows other rates from now on. What was counted stays counted.
    pub(crate) fn set_rates(&self, rates: &RateLimits) {
        let unless_off = |rate| if *rates == RateLimits::OFF { Rate::OFF } else { rate };
        // Whoever adds a limiter is told to name it here.
        let Self {
            log_ins,
            log_in_failures,
            wrong_codes_of_hour,
            wrong_codes_of_day,
            registrations,
            confirmations_of_email,
            password_resets,
            password_resets_of_email,
            promocode_checks,
            exports,
            webhook_tests,
            empty_orders,
            text_bytes,
            email_changes,
            shop_orders,
            shop_changes,
            shop_emails,
            resent_tickets,
            order_links,
            order_links_of_email,
            key_requests,
        } = self;
        log_ins.set_rate(rates.log_ins);
        log_in_failures.set_rate(rates.log_in_failures);
        wrong_codes_of_hour.set_rate(unless_off(WRONG_CODES_PER_HOUR));
        wrong_codes_of_day.set_rate(unless_off(WRONG_CODES_PER_DAY));
        registrations.set_rate(rates.registrations);
        confirmations_of_email.set_rate(rates.confirmations_of_email);
        password_resets.set_rate(rates.password_resets);
        password_resets_of_email.set_rate(rates.password_resets_of_email);
        promocode_checks.set_rate(rates.promocode_checks);
        exports.set_rate(rates.exports);
        webhook_tests.set_rate(rates.webhook_tests);
        empty_orders.set_rate(rates.empty_orders);
        text_bytes.set_rate(rates.text_bytes);
        email_changes.set_rate(rates.email_changes);
        shop_orders.set_rate(rates.shop_orders);
        shop_changes.set_rate(rates.shop_changes);
        shop_emails.set_rate(rates.shop_emails);
        resent_tickets.set_rate(unless_off(RESENT_TICKETS_PER_HOUR));
        order_links.set_rate(rates.order_links);
        order_links_of_email.set_rate(rates.order_links_of_email);
        key_requests.set_rate(rates.key_requests);
    }
}

impl From<RateLimitExceeded> for ApiError {
    fn from(RateLimitExceeded { wait_s }: RateLimitExceeded) -> Self {
        Self::too_many_requests(wait_s)
    }
}
