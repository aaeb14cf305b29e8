//! Who made changes, as far as the reader may know. Of its own people and keys a partner is told all there is; of the
//! other side of a row only the name of the partner: who works there and from where is not its business.

use kassa_domain::change::{AddressClass, Author, Change, ChangeType};
use kassa_domain::id::ResourceId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{User, UserId};
use kassa_domain::{Actor, ReadSet, View};
use kassa_engine::history::HistoryChange;
use kassa_engine::{Engine, Failure};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;
use crate::wire::{IdRef, PartnerRef};

/// Who made a change. Of the other side of the resource, only the partner is told.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryActor)]
pub(super) struct ActorBody<'a> {
    #[serde(rename = "type")]
    #[schema(schema_with = actor_type_schema)]
    kind: &'static str,
    /// The id of the user, or of the API key, which may be removed by now; `null` for others, and if it is not yours to
    /// know.
    #[schema(value_type = Option<String>, example = "69a97748c4d1a7e300400005")]
    id: Option<ResourceId>,
    /// What the user or the key is called now; `null` if nothing is known.
    #[schema(example = "till")]
    name: Option<String>,
    /// The partner for which it was done; `null` if that was none.
    partner: Option<ActorPartnerBody<'a>>,
    #[schema(schema_with = job_schema)]
    job: Option<&'static str>,
}

impl ActorBody<'_> {
    /// Somebody of a kind.
    const fn unnamed(kind: &'static str) -> Self {
        Self { kind, id: None, name: None, partner: None, job: None }
    }
}

/// A partner for which something was done.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryPartner)]
struct ActorPartnerBody<'a> {
    /// The id of the partner.
    id: PartnerRef,
    /// What it is called now.
    #[schema(example = "City Theatre")]
    name: &'a str,
}

/// What is known of those who made some changes.
pub(super) struct KnownActors {
    /// The partners of the reader.
    own: Vec<PartnerId>,
    /// Partners, keys and users, as they are now, and who manages the partners of the reader.
    rows: View,
}

impl KnownActors {
    /// Of those who made these changes.
    pub(super) async fn load(engine: &Engine, reader: &Actor, changes: &[HistoryChange]) -> Result<Self, Failure> {
        let own = reader.own_partners();
        let mut rows = ReadSet::default();
        for change in changes.iter().map(HistoryChange::change) {
            match change.attribution.author {
                Author::ApiKey { partner, key } => {
                    rows.partners.push(partner);
                    rows.keys.extend(key.filter(|_| own.contains(&partner)));
                }
                Author::Manager { user, partner } => {
                    rows.partners.push(partner);
                    rows.users.extend(own.contains(&partner).then_some(user));
                }
                Author::User(user) => {
                    rows.users.push(user);
                    rows.managers.extend(own_sides(&own, change).map(|partner| (partner, user)));
                }
                Author::Anonymous | Author::Operator | Author::System | Author::Customer => {}
            }
        }
        Ok(Self { rows: engine.view(&rows).await?, own })
    }

    /// Who made a change.
    pub(super) fn actor_of(&self, change: &Change) -> ActorBody<'_> {
        match change.attribution.author {
            Author::Anonymous => ActorBody::unnamed("anonymous"),
            Author::Customer => ActorBody::unnamed("customer"),
            Author::Operator => ActorBody::unnamed("operator"),
            Author::System => ActorBody { job: job_of(change.kind), ..ActorBody::unnamed("system") },
            Author::ApiKey { partner, key } => {
                let found = self.own.contains(&partner).then_some(key).flatten();
                ActorBody {
                    id: found.map(|key| ResourceId::with_tag(key.tag(), key.key())),
                    name: found.and_then(|key| self.rows.keys.get(key)).map(|key| key.name.clone()),
                    ..self.of_partner("api_key", partner)
                }
            }
            Author::Manager { user, partner } => {
                let known = self.own.contains(&partner).then_some(user);
                ActorBody { id: known.map(user_id), name: self.name_of(known), ..self.of_partner("user", partner) }
            }
            Author::User(user) => {
                let known = Some(user).filter(|user| self.is_colleague(*user, change));
                ActorBody { id: known.map(user_id), name: self.name_of(known), ..ActorBody::unnamed("user") }
            }
        }
    }

    /// From what kind of address a change came; `None` also where that is for the other side to know.
    pub(super) fn address_of(&self, change: &Change) -> Option<AddressClass> {
        let is_own = match change.attribution.author {
            Author::User(user) => self.is_colleague(user, change),
            Author::ApiKey { partner, .. } | Author::Manager { partner, .. } => self.own.contains(&partner),
            Author::Operator | Author::System => true,
            Author::Anonymous | Author::Customer => false,
        };
        change.attribution.address.filter(|_| is_own)
    }

    fn of_partner(&self, kind: &'static str, partner: PartnerId) -> ActorBody<'_> {
        let name = self.rows.partners.get(partner).map_or("", |partner| partner.name.as_str());
        ActorBody { partner: Some(ActorPartnerBody { id: IdRef(partner), name }), ..ActorBody::unnamed(kind) }
    }

    /// Whether a user manages the reader's side of a row now. Whoever made the row, or was asked to manage it, did not
    /// do so yet.
    fn is_colleague(&self, user: UserId, change: &Change) -> bool {
        own_sides(&self.own, change).any(|partner| self.rows.managers.get((partner, user)).is_some())
    }

    fn name_of(&self, user: Option<UserId>) -> Option<String> {
        let user: &User = self.rows.users.get(user?)?;
        let names: Vec<&str> = [&user.first_name, &user.last_name].into_iter().flatten().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(" "))
    }
}

/// The reader's side of a row, or both.
fn own_sides(own: &[PartnerId], change: &Change) -> impl Iterator<Item = PartnerId> {
    change.audience.partners().filter(|partner| own.contains(partner))
}

fn user_id(user: UserId) -> ResourceId {
    ResourceId::with_tag(user.tag(), user.key())
}

/// What the server itself does to rows that have a history, by what comes of it.
const JOBS: &[(ChangeType, &str)] = &[
    (ChangeType::OrderExpired, "expire_orders"),
    (ChangeType::OrderPaid, "settle_payments"),
    (ChangeType::RefundRequestCreated, "refund_canceled_event"),
    (ChangeType::SetChanged, "resize_set"),
];

fn job_of(kind: ChangeType) -> Option<&'static str> {
    JOBS.iter().find(|(of, _)| *of == kind).map(|(_, name)| *name)
}

fn actor_type_schema() -> RefOr<Schema> {
    let about = "What kind of actor: a user, a program with an API key, the operator, the server itself, the customer of the \
        order, or somebody without a credential.";
    schema::words(["user", "api_key", "operator", "system", "customer", "anonymous"]).description(Some(about)).into()
}

fn job_schema() -> RefOr<Schema> {
    let about = "Of the server itself: what it was at; `null` for others.";
    let words = schema::words(JOBS.iter().map(|(_, name)| *name));
    schema::nullable(words.description(Some(about)).into())
}
