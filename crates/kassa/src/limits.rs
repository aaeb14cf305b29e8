//! Flags that say how often clients may do what.

use clap::{Args, ValueEnum};
use kassa_http::{Rate, RateLimits};

/// How often things may be done in a minute.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
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
    /// Promocode checks per minute and API key, or `off`.
    #[arg(long, env = "KASSA_LIMIT_PROMOCODE_CHECKS", value_name = "NUMBER", default_value_t = RateLimits::default().promocode_checks)]
    limit_promocode_checks: Rate,
    /// Requests of any kind per minute and API key, or `off`.
    #[arg(long, env = "KASSA_LIMIT_KEY_REQUESTS", value_name = "NUMBER", default_value_t = RateLimits::default().key_requests)]
    limit_key_requests: Rate,
    /// The number of trusted proxies in front of the server. Each must append its client to `X-Forwarded-For`, and the
    /// server must be reachable only through them. With 0, a client's address is that of its connection.
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
