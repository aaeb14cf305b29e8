//! Flags that say how much each partner may store.

use std::str::FromStr;

use clap::Args;
use kassa_domain::quota::{QuotaKind, Quotas};

/// How much each partner may store, unless it was allowed another amount by `kassa admin quota`.
#[derive(Debug, Args)]
pub(crate) struct QuotaArguments {
    /// How much each partner may store of a kind, as `events=500`; may be repeated, or be a list with commas. Kinds:
    /// `events`, `tickets`, `promocodes`, `promotions`, `venues`, `hall_maps`, `api_keys`, `deals`, `attachments`,
    /// `attachment_bytes`, and `answer_bytes`, which are the large answers kept for its idempotency keys.
    #[arg(long = "quota", env = "KASSA_QUOTAS", value_name = "KIND=NUMBER", value_delimiter = ',')]
    quotas: Vec<QuotaSetting>,
}

impl QuotaArguments {
    /// What they say together; the last one of a kind holds.
    pub(crate) fn quotas(&self) -> Quotas {
        let mut quotas = Quotas::default();
        for setting in &self.quotas {
            quotas.set(setting.kind, setting.amount);
        }
        quotas
    }
}

/// So much of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaSetting {
    pub(crate) kind: QuotaKind,
    pub(crate) amount: i64,
}

impl FromStr for QuotaSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, amount) = text.split_once('=').ok_or("it must be KIND=NUMBER, as events=500")?;
        let kind = kind.trim().parse().map_err(|error: kassa_domain::quota::UnknownQuota| error.to_string())?;
        let amount = amount.trim().parse().ok().filter(|amount| *amount >= 0);
        Ok(Self { kind, amount: amount.ok_or_else(|| format!("{kind} must be a whole number, 0 or more"))? })
    }
}

/// Another amount for one partner, or the one that all have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaException {
    pub(crate) kind: QuotaKind,
    pub(crate) amount: Option<i64>,
}

impl FromStr for QuotaException {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((kind, "default")) => {
                let kind = kind.parse().map_err(|error: kassa_domain::quota::UnknownQuota| error.to_string())?;
                Ok(Self { kind, amount: None })
            }
            _ => text.parse().map(|QuotaSetting { kind, amount }| Self { kind, amount: Some(amount) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_kind_and_a_number() {
        let events = QuotaSetting { kind: QuotaKind::Events, amount: 0 };
        assert_eq!("events=0".parse(), Ok(events));
        for text in ["events", "events=", "events=-1", "events=1.5", "seats=1", "=1", "events=default"] {
            assert!(text.parse::<QuotaSetting>().is_err(), "{text}");
        }
        assert_eq!("events=default".parse(), Ok(QuotaException { kind: QuotaKind::Events, amount: None }));
        assert_eq!("deals=7".parse(), Ok(QuotaException { kind: QuotaKind::Deals, amount: Some(7) }));
        assert!("seats=default".parse::<QuotaException>().is_err());
    }
}
