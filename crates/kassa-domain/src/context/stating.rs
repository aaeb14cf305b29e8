//! How commands state what they change.

use super::Context;
use super::actor::Actor;
use super::followed::Followed;
use crate::model::change::{AddressClass, Attribution, Audience, Author, Change, ChangeType, Facts};
use crate::values::resource_ids::ApiKeyId;
use crate::view::View;

/// Where a command came from, as far as changes say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The key that the program of a partner has shown.
    pub api_key: Option<ApiKeyId>,
    /// From what kind of address, if over a network.
    pub address: Option<AddressClass>,
}

impl Context<'_> {
    /// States what happened to a row, and gives the row its next version. The caller stores the row. What happens in
    /// several steps is stated step by step.
    pub fn state(&self, row: &mut impl Followed, kind: ChangeType, facts: Facts, view: &mut View) {
        let batch = self.node.next_batch_id();
        let revision = row.revision_mut();
        let previous = revision.changed_in();
        revision.advance(batch);
        let version = revision.number();
        row.set_updated_at(self.now);
        let audience = row.audience(view);
        debug_assert!(!audience.is_empty(), "{kind} of {:?}: whose it is is not in the view", row.subject());
        let attribution = Attribution { author: self.author(&audience), address: self.origin.address };
        view.changes.push(Change {
            kind,
            subject: row.subject(),
            version,
            event: row.event(),
            audience,
            facts,
            attribution,
            previous,
        });
    }

    /// Who acts, and for which of those whose own the row is: the others are told no more than that.
    fn author(&self, audience: &Audience) -> Author {
        match self.actor {
            Actor::Anonymous => Author::Anonymous,
            Actor::User(user) => match audience.partners().find(|partner| self.actor.acts_for(*partner)) {
                Some(partner) => Author::Manager { user: user.user, partner },
                None => Author::User(user.user),
            },
            Actor::Partner(partner) => Author::ApiKey { partner: *partner, key: self.origin.api_key },
            Actor::Visitor(_) | Actor::Buyer(_) => Author::Customer,
            Actor::Operator => Author::Operator,
            Actor::System => Author::System,
        }
    }
}
