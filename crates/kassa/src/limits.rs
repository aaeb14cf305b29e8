//! Flags that say how often clients may do what, and how much they may read.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use kassa_domain::order::HoldLimits;
use kassa_domain::view::UNPAID_ORDERS_MAX;
use kassa_engine::ReadLimits;
use kassa_engine::mail::MailRates;
use kassa_http::{Rate, RateLimits};

/// How often things may be done in a minute or, where the flag says so, in an hour. They can be changed while a server runs.
#[derive(Debug, Args)]
pub(crate) struct RateArguments {
    /// Turns all rate limits on or off; off for benchmarks, or where a proxy limits.
    #[arg(long, env = "KASSA_RATE_LIMIT", value_enum, default_value_t = RateLimitSwitch::On)]
    rate_limit: RateLimitSwitch,
    /// Log-ins per minute and address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_LOG_INS", value_name = "NUMBER", default_value_t = RateLimits::default().log_ins)]
    limit_log_ins: Rate,
    /// Failed log-ins per minute and e-mail, or `off`.
    #[arg(long, env = "KASSA_LIMIT_LOG_IN_FAILURES", value_name = "NUMBER", default_value_t = RateLimits::default().log_in_failures)]
    limit_log_in_failures: Rate,
    /// Registrations per minute and address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_REGISTRATIONS", value_name = "NUMBER", default_value_t = RateLimits::default().registrations)]
    limit_registrations: Rate,
    /// Mails per minute that ask for the confirmation of one e-mail, or `off`.
    #[arg(long, env = "KASSA_LIMIT_CONFIRMATIONS_OF_EMAIL", value_name = "NUMBER", default_value_t = RateLimits::default().confirmations_of_email)]
    limit_confirmations_of_email: Rate,
    /// Password resets per minute and address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_PASSWORD_RESETS", value_name = "NUMBER", default_value_t = RateLimits::default().password_resets)]
    limit_password_resets: Rate,
    /// Password resets per minute and e-mail, or `off`.
    #[arg(long, env = "KASSA_LIMIT_PASSWORD_RESETS_OF_EMAIL", value_name = "NUMBER", default_value_t = RateLimits::default().password_resets_of_email)]
    limit_password_resets_of_email: Rate,
    /// Promocode checks per minute and partner, or `off`.
    #[arg(long, env = "KASSA_LIMIT_PROMOCODE_CHECKS", value_name = "NUMBER", default_value_t = RateLimits::default().promocode_checks)]
    limit_promocode_checks: Rate,
    /// Lists of orders that a partner has mailed, per hour, or `off`.
    #[arg(long, env = "KASSA_LIMIT_EXPORTS", value_name = "NUMBER", default_value_t = RateLimits::default().exports)]
    limit_exports: Rate,
    /// Tests of webhooks per minute and partner, or `off`.
    #[arg(long, env = "KASSA_LIMIT_WEBHOOK_TESTS", value_name = "NUMBER", default_value_t = RateLimits::default().webhook_tests)]
    limit_webhook_tests: Rate,
    /// Orders without tickets per hour and vendor, or `off`. Beyond it orders are made with tickets only.
    #[arg(long, env = "KASSA_LIMIT_EMPTY_ORDERS", value_name = "NUMBER", default_value_t = RateLimits::default().empty_orders)]
    limit_empty_orders: Rate,
    /// Bytes of names and descriptions per hour that a partner sends for events and their sets, or `off`.
    #[arg(long, env = "KASSA_LIMIT_TEXT_BYTES", value_name = "NUMBER", default_value_t = RateLimits::default().text_bytes)]
    limit_text_bytes: Rate,
    /// Changes of e-mails per hour and user, or `off`.
    #[arg(long, env = "KASSA_LIMIT_EMAIL_CHANGES", value_name = "NUMBER", default_value_t = RateLimits::default().email_changes)]
    limit_email_changes: Rate,
    /// Orders per hour that visitors of shops make from one address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_SHOP_ORDERS", value_name = "NUMBER", default_value_t = RateLimits::default().shop_orders)]
    limit_shop_orders: Rate,
    /// Changes per hour of orders by whoever has their links, from one address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_SHOP_CHANGES", value_name = "NUMBER", default_value_t = RateLimits::default().shop_changes)]
    limit_shop_changes: Rate,
    /// E-mails per hour that whoever has the link of an order replaces in it, or `off`.
    #[arg(long, env = "KASSA_LIMIT_SHOP_EMAILS", value_name = "NUMBER", default_value_t = RateLimits::default().shop_emails)]
    limit_shop_emails: Rate,
    /// Requests per minute and address to have links of orders mailed, or `off`.
    #[arg(long, env = "KASSA_LIMIT_ORDER_LINKS", value_name = "NUMBER", default_value_t = RateLimits::default().order_links)]
    limit_order_links: Rate,
    /// Mails per hour with the links of its orders to one e-mail, or `off`.
    #[arg(long, env = "KASSA_LIMIT_ORDER_LINKS_OF_EMAIL", value_name = "NUMBER", default_value_t = RateLimits::default().order_links_of_email)]
    limit_order_links_of_email: Rate,
    /// Mails with tickets per hour by one partner to one e-mail, or `off`; more are sent later.
    #[arg(long, env = "KASSA_LIMIT_TICKETS_MAILS", value_name = "NUMBER", default_value_t = MailRates::default().tickets)]
    limit_tickets_mails: Rate,
    /// Mails with invitations per hour by one user, or `off`; more are sent later.
    #[arg(long, env = "KASSA_LIMIT_INVITATION_MAILS", value_name = "NUMBER", default_value_t = MailRates::default().invitations)]
    limit_invitation_mails: Rate,
    /// Requests of any kind per minute and API key, or `off`.
    #[arg(long, env = "KASSA_LIMIT_KEY_REQUESTS", value_name = "NUMBER", default_value_t = RateLimits::default().key_requests)]
    limit_key_requests: Rate,
}

/// How often clients may do what, and whom a server believes where they come from.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    #[command(flatten)]
    rates: RateArguments,
    /// Unpaid orders that visitors of shops may have at one event with one e-mail: 1 to 100, or `off`.
    #[arg(long, env = "KASSA_UNPAID_ORDERS_PER_EMAIL", value_name = "NUMBER", default_value_t = HoldLimit(HoldLimits::default().orders_of_email))]
    unpaid_orders_per_email: HoldLimit<UNPAID_ORDERS_MAX>,
    /// Unpaid orders that visitors of shops may have at one event from one address: 1 to 100, or `off`.
    #[arg(long, env = "KASSA_UNPAID_ORDERS_PER_ADDRESS", value_name = "NUMBER", default_value_t = HoldLimit(HoldLimits::default().orders_of_network))]
    unpaid_orders_per_address: HoldLimit<UNPAID_ORDERS_MAX>,
    /// Tickets that the unpaid orders from one address may hold at one event: 1 to 100,000, or `off`. The newest 100 orders
    /// count.
    #[arg(long, env = "KASSA_UNPAID_TICKETS_PER_ADDRESS", value_name = "NUMBER", default_value_t = HoldLimit(HoldLimits::default().tickets_of_network))]
    unpaid_tickets_per_address: HoldLimit<100_000>,
    /// The number of trusted proxies in front of the server. Each must append its client to `X-Forwarded-For`, and the
    /// server must be reachable only through them. With 0, a client's address is that of its connection.
    #[arg(long, env = "KASSA_TRUSTED_PROXIES", value_name = "NUMBER", default_value_t = 0)]
    pub(crate) trusted_proxies: usize,
}

/// How much those who read may take of a server.
#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// Lists that one client (a partner, a user, or an address without a credential) reads at the same time; others of
    /// its lists wait. Half of the processors by default.
    #[arg(long, env = "KASSA_LISTS_PER_CLIENT", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    lists_per_client: Option<u32>,
    /// Seconds that a look-up, or a page of a list, may take in the database: 1 to 40.
    #[arg(
        long,
        env = "KASSA_READ_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = ReadLimits::default().time.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..=40)
    )]
    read_timeout: u64,
}

impl ReadArguments {
    /// What they say together.
    pub(crate) fn limits(&self) -> ReadLimits {
        let usual = ReadLimits::default();
        let lists_per_reader = self.lists_per_client.map_or(usual.lists_per_reader, |lists| lists as usize);
        ReadLimits {
            lists: usual.lists.max(lists_per_reader),
            lists_per_reader,
            time: Duration::from_secs(self.read_timeout),
        }
    }
}

/// So many at most, or `off`.
#[derive(Clone, Copy, Debug)]
struct HoldLimit<const MAX: u32>(Option<u32>);

impl<const MAX: u32> FromStr for HoldLimit<MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        let number = text.parse().ok().filter(|number| (1..=MAX).contains(number));
        number.map(|number| Self(Some(number))).ok_or_else(|| format!("must be a number from 1 to {MAX}, or off"))
    }
}

impl<const MAX: u32> fmt::Display for HoldLimit<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("off"),
        }
    }
}

/// On or off.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RateLimitSwitch {
    On,
    Off,
}

impl LimitArguments {
    /// What they say together.
    pub(crate) fn rates(&self) -> RateLimits {
        match self.rates.rate_limit {
            RateLimitSwitch::Off => RateLimits::OFF,
            RateLimitSwitch::On => RateLimits {
                log_ins: self.rates.limit_log_ins,
                log_in_failures: self.rates.limit_log_in_failures,
                registrations: self.rates.limit_registrations,
                confirmations_of_email: self.rates.limit_confirmations_of_email,
                password_resets: self.rates.limit_password_resets,
                password_resets_of_email: self.rates.limit_password_resets_of_email,
                promocode_checks: self.rates.limit_promocode_checks,
                exports: self.rates.limit_exports,
                webhook_tests: self.rates.limit_webhook_tests,
                empty_orders: self.rates.limit_empty_orders,
                text_bytes: self.rates.limit_text_bytes,
                email_changes: self.rates.limit_email_changes,
                shop_orders: self.rates.limit_shop_orders,
                order_links: self.rates.limit_order_links,
                order_links_of_email: self.rates.limit_order_links_of_email,
                shop_changes: self.rates.limit_shop_changes,
                shop_emails: self.rates.limit_shop_emails,
                key_requests: self.rates.limit_key_requests,
            },
        }
    }

    /// What they say of orders that are not paid.
    pub(crate) fn holds(&self) -> HoldLimits {
        match self.rates.rate_limit {
            RateLimitSwitch::Off => HoldLimits::OFF,
            RateLimitSwitch::On => HoldLimits {
                orders_of_email: self.unpaid_orders_per_email.0,
                orders_of_network: self.unpaid_orders_per_address.0,
                tickets_of_network: self.unpaid_tickets_per_address.0,
            },
        }
    }

    /// What they say of mails.
    pub(crate) fn mail_rates(&self) -> MailRates {
        match self.rates.rate_limit {
            RateLimitSwitch::Off => MailRates::OFF,
            RateLimitSwitch::On => {
                MailRates { tickets: self.rates.limit_tickets_mails, invitations: self.rates.limit_invitation_mails }
            }
        }
    }
}
