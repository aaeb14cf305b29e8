//! Partners and their keys.

use std::collections::BTreeSet;

use kassa_domain::Id;
use kassa_domain::api_key::{ApiKey, ApiKeyId};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::user::User;

use super::{Conditions, Filter, VisibilityBranch};
use crate::cell::Cell;

/// Ids of things that hang on nothing else, as they lie in columns. One with a foreign tag names
/// nothing: no row has the key -1.
pub(super) fn root_keys<K>(ids: &[Id<K>]) -> impl Iterator<Item = Cell<'static>> {
    ids.iter().map(|id| root_key(*id).into())
}

/// The same of one id.
pub(super) fn root_key<K>(id: Id<K>) -> i64 {
    if id == Id::root(id.key()) { id.key() } else { -1 }
}

/// Rows with two sides, in the columns `one` and `other`, of which one is a partner of the caller's: first
/// those where it is `one`, and then all others.
pub(super) fn two_sided_branches(one: &str, other: &str, own: &[PartnerId]) -> Vec<VisibilityBranch> {
    let own: BTreeSet<i64> = own.iter().copied().map(root_key).collect();
    let keys = || own.iter().map(|key| Cell::from(*key));
    let of_one = keys().map(|key| VisibilityBranch::new(format!("{one} = ?"), [key]));
    let marks = vec!["?"; own.len()].join(", ");
    let of_other = keys().map(|key| {
        VisibilityBranch::new(format!("{other} = ? AND {one} NOT IN ({marks})"), [key].into_iter().chain(keys()))
    });
    of_one.chain(of_other).collect()
}

/// That a partner of the caller's is a side of the row: the same in one condition, where the caller has any.
pub(super) fn either_side_branch(one: &str, other: &str, own: &[PartnerId]) -> Option<VisibilityBranch> {
    let marks = vec!["?"; own.len()].join(", ");
    let condition = format!("{one} IN ({marks}) OR {other} IN ({marks})");
    (!own.is_empty()).then(|| VisibilityBranch::new(condition, root_keys(own).chain(root_keys(own))))
}

/// Adds it.
pub(super) fn add_either_side(one: &str, other: &str, own: &[PartnerId], sql: &mut Conditions) {
    sql.any_of(either_side_branch(one, other, own));
}

/// API keys of a partner, newest first.
#[derive(Clone, Debug)]
pub struct ApiKeysFilter {
    /// Whose.
    pub partner: PartnerId,
    /// Only these.
    pub ids: Option<Vec<ApiKeyId>>,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for ApiKeysFilter {
    type Row = ApiKey;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("partner = ?", [root_key(self.partner).into()]);
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if !self.include_removed {
            sql.add("removed = 0", []);
        }
    }
}

/// Partners, newest first.
#[derive(Clone, Debug, Default)]
pub struct PartnersFilter {
    /// Only these.
    pub ids: Option<Vec<PartnerId>>,
    /// Only these, and the other sides of their deals.
    pub counterparties_of: Option<Vec<PartnerId>>,
    /// Partners whose removed state the caller may see.
    pub include_removed_of: Vec<PartnerId>,
}

impl Filter for PartnersFilter {
    type Row = Partner;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if self.counterparties_of.as_ref().is_some_and(Vec::is_empty) {
            sql.add("1 = 0", []);
        } else if let Some(own) = &self.counterparties_of {
            let marks = vec!["?"; own.len()].join(", ");
            let agents = format!("SELECT agent FROM deals WHERE organizer IN ({marks})");
            let organizers = format!("SELECT organizer FROM deals WHERE agent IN ({marks})");
            let args = root_keys(own).chain(root_keys(own)).chain(root_keys(own));
            // One list of ids, by which partners are looked up; with OR they would be read one and all.
            let named = format!("SELECT id FROM partners WHERE id IN ({marks})");
            sql.add(&format!("id IN ({named} UNION ALL {agents} UNION ALL {organizers})"), args);
        }
        if self.include_removed_of.is_empty() {
            sql.add("removed = 0", []);
        } else {
            let marks = vec!["?"; self.include_removed_of.len()].join(", ");
            sql.add(&format!("removed = 0 OR id IN ({marks})"), root_keys(&self.include_removed_of));
        }
    }
}

/// All users, newest first: for the operator.
#[derive(Clone, Copy, Debug)]
pub struct UsersFilter;

impl Filter for UsersFilter {
    type Row = User;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, _: &mut Conditions) {}
}
