//! Flags that say how often clients may do what.

use clap::{Args, ValueEnum};
use kassa_http::{Rate, RateLimits};

/// How often things may be done in a minute.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// Whether clients are limited at all; off for measurements, and where a proxy does it.
    #[arg(long, env = "KASSA_RATE_LIMIT", value_enum, default_value_t = RateLimitSwitch::On)]
    rate_limit: RateLimitSwitch,
    /// Log-ins a minute of one address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_LOG_INS", value_name = "NUMBER", default_value_t = RateLimits::default().log_ins)]
    limit_log_ins: Rate,
    /// Wrong passwords a minute for one e-mail, or `off`.
    #[arg(long, env = "KASSA_LIMIT_LOG_IN_FAILURES", value_name = "NUMBER", default_value_t = RateLimits::default().log_in_failures)]
    limit_log_in_failures: Rate,
    /// Registrations a minute of one address, or `off`.
    #[arg(long, env = "KASSA_LIMIT_REGISTRATIONS", value_name = "NUMBER", default_value_t = RateLimits::default().registrations)]
    limit_registrations: Rate,
    /// Promocodes checked a minute with one key, or `off`.
    #[arg(long, env = "KASSA_LIMIT_PROMOCODE_CHECKS", value_name = "NUMBER", default_value_t = RateLimits::default().promocode_checks)]
    limit_promocode_checks: Rate,
    /// Requests a minute with one key, of any kind, or `off`.
    #[arg(long, env = "KASSA_LIMIT_KEY_REQUESTS", value_name = "NUMBER", default_value_t = RateLimits::default().key_requests)]
    limit_key_requests: Rate,
    /// Through how many proxies of the house clients come. Each must add to `X-Forwarded-For` who asked it, and
    /// nobody may reach the server past them; without proxies a client's address is that of its connection.
    #[arg(long, env = "KASSA_TRUSTED_PROXIES", value_name = "NUMBER", default_value_t = 0)]
    pub(crate) trusted_proxies: usize,
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
        match self.rate_limit {
            RateLimitSwitch::Off => RateLimits::OFF,
            RateLimitSwitch::On => RateLimits {
                log_ins: self.limit_log_ins,
                log_in_failures: self.limit_log_in_failures,
                registrations: self.limit_registrations,
                promocode_checks: self.limit_promocode_checks,
                key_requests: self.limit_key_requests,
            },
        }
    }
}
