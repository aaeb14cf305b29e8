//! What passes the filters of queries/partners.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::user::User;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{ApiKeysFilter, PartnersFilter, UsersFilter};

impl FilterInMemory<ApiKey> for ApiKeysFilter {
    fn matches(&self, key: &ApiKey, _: &MemoryTables) -> bool {
        key.partner == self.partner
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&key.id))
            && (self.include_removed || !key.removed)
    }

    fn compare(&self, one: &ApiKey, other: &ApiKey) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

impl FilterInMemory<Partner> for PartnersFilter {
    fn matches(&self, partner: &Partner, tables: &MemoryTables) -> bool {
        let around = |own: &Vec<PartnerId>| {
            own.contains(&partner.id) || tables.deals.rows().any(|deal| deal.is_between(partner.id, own))
        };
        self.ids.as_ref().is_none_or(|ids| ids.contains(&partner.id))
            && self.counterparties_of.as_ref().is_none_or(around)
            && (!partner.removed || self.include_removed_of.contains(&partner.id))
    }

    fn compare(&self, one: &Partner, other: &Partner) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

impl FilterInMemory<User> for UsersFilter {
    fn matches(&self, _: &User, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &User, other: &User) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
