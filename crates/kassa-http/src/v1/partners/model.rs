//! A partner as v1 shows it, and as requests write it.

use kassa_domain::Patch;
use kassa_domain::deal::ProposedTerms;
use kassa_domain::partner::{Contact, ContactPatch, LEGAL_KEYS_MAX, Partner, PartnerPatch, PartnerRole, StandardTerms};
use kassa_domain::permission::PartnerVisibility;
use kassa_domain::user::{User, UserId};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::base_url::BaseUrl;
use crate::error::ErrorDetail;
use crate::input::{
    Flag, FromJson, Input, LineText, List, LogoInput, LongText, NameText, Problems, fields, media_patch, parse_object,
    parse_word, requires,
};
use crate::openapi::schema;
use crate::v1::deals::model::TermInput;
use crate::v1::refund_requests::policy::{RefundPolicyBody, RefundPolicyInput};
use crate::v1::users::model::UserBody;
use crate::wire::{IdRef, LOGO_KEYS, MediaBody, PartnerRef, Time, UserRef, show_share};

/// A partner in full: for its users and keys.
// seed, Partner
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Partner)]
pub(crate) struct PartnerBody {
    id: PartnerRef,
    name: String,
    desc: Option<String>,
    director: Option<String>,
    channels: Option<String>,
    contact: ContactBody,
    legal: Option<serde_json::Map<String, Value>>,
    media: MediaBody,
    #[schema(schema_with = roles_schema)]
    roles: Vec<&'static str>,
    tags: Vec<String>,
    standard_term: Option<StandardTermBody>,
    /// What it keeps of tickets that customers give back, unless an event says otherwise.
    refund_policy: Option<RefundPolicyBody>,
    removed: bool,
    /// Who made it.
    user: Option<UserBody>,
    /// Those who manage it.
    users: Vec<UserRef>,
    created_at: Time,
    updated_at: Time,
}

/// An empty object.
#[derive(Debug, Default, Serialize)]
pub(crate) struct EmptyBody {}

impl PartialSchema for EmptyBody {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().max_properties(Some(0)).into()
    }
}

impl ToSchema for EmptyBody {
    fn name() -> std::borrow::Cow<'static, str> {
        "Empty".into()
    }
}

/// What others see of a partner.
// decisions §2
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartnerFace)]
pub(crate) struct PublicPartnerBody {
    id: PartnerRef,
    name: String,
    desc: Option<String>,
    media: MediaBody,
    tags: Vec<String>,
    #[schema(schema_with = roles_schema)]
    roles: Vec<&'static str>,
    contact: ContactBody,
}

/// What the other side of an accepted deal sees of a partner.
// decisions §2
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartnerSide)]
pub(crate) struct CounterpartyPartnerBody {
    id: PartnerRef,
    name: String,
    desc: Option<String>,
    media: MediaBody,
    tags: Vec<String>,
    #[schema(schema_with = roles_schema)]
    roles: Vec<&'static str>,
    contact: ContactBody,
    legal: Option<serde_json::Map<String, Value>>,
}

/// What an organizer asks of agents.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StandardTerm)]
struct StandardTermBody {
    org: String,
    extra: String,
    pfc: bool,
}

impl From<StandardTerms> for StandardTermBody {
    fn from(term: StandardTerms) -> Self {
        Self {
            org: show_share(term.organizer_share, 2),
            extra: show_share(term.markup, 1),
            pfc: term.platform_fee_on_top,
        }
    }
}

/// How to reach a partner, as far as the caller may know.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Contact)]
#[serde(untagged)]
pub(crate) enum ContactBody {
    Full {
        address: Option<String>,
        email: Option<String>,
        name: Option<String>,
        phones: Vec<String>,
        www: Option<String>,
    },
    Public {
        www: Option<String>,
    },
}

impl ContactBody {
    pub(crate) fn new(contact: Contact, sight: PartnerVisibility) -> Self {
        let Contact { address, email, name, phones, www } = contact;
        match sight {
            PartnerVisibility::Full | PartnerVisibility::Counterparty => {
                Self::Full { address, email, name, phones, www }
            }
            PartnerVisibility::Public => Self::Public { www },
        }
    }
}

fn role_names(roles: &[PartnerRole]) -> Vec<&'static str> {
    let name = |role: &PartnerRole| match role {
        PartnerRole::Organizer => "org",
        PartnerRole::Agent => "agent",
    };
    roles.iter().map(name).collect()
}

fn roles_schema() -> RefOr<Schema> {
    schema::list(schema::words(ROLES.map(|(name, _)| name))).into()
}

impl PartnerBody {
    /// `user` is the one that made it, `users` those that manage it.
    pub(crate) fn new(partner: &Partner, user: Option<&User>, users: Vec<UserId>, base: &BaseUrl) -> Self {
        let about = partner.profile.clone();
        Self {
            id: IdRef(partner.id),
            name: partner.name.clone(),
            desc: about.desc,
            director: about.director,
            channels: about.channels,
            contact: ContactBody::new(about.contact, PartnerVisibility::Full),
            legal: about.legal,
            media: MediaBody::new(&about.media, LOGO_KEYS, base),
            roles: role_names(&about.roles),
            tags: about.tags,
            standard_term: about.standard_terms.map(StandardTermBody::from),
            refund_policy: about.refund_policy.map(RefundPolicyBody::from),
            removed: partner.removed,
            user: user.map(|user| UserBody::new(user, vec![partner.id])),
            users: users.into_iter().map(IdRef).collect(),
            created_at: Time(partner.created_at),
            updated_at: Time(partner.updated_at),
        }
    }
}

impl PublicPartnerBody {
    pub(crate) fn new(partner: &Partner, base: &BaseUrl) -> Self {
        let about = partner.profile.clone();
        Self {
            id: IdRef(partner.id),
            name: partner.name.clone(),
            desc: about.desc,
            media: MediaBody::new(&about.media, LOGO_KEYS, base),
            tags: about.tags,
            roles: role_names(&about.roles),
            contact: ContactBody::new(about.contact, PartnerVisibility::Public),
        }
    }
}

impl CounterpartyPartnerBody {
    pub(crate) fn new(partner: &Partner, base: &BaseUrl) -> Self {
        let about = &partner.profile;
        let contact = ContactBody::new(about.contact.clone(), PartnerVisibility::Counterparty);
        let PublicPartnerBody { id, name, desc, media, tags, roles, .. } = PublicPartnerBody::new(partner, base);
        Self { id, name, desc, media, tags, roles, contact, legal: about.legal.clone() }
    }
}

fields! {
    /// A partner in a request.
    pub(crate) struct PartnerInput {
        pub(crate) name: Input<NameText>,
        desc: Input<LongText>,
        director: Input<LineText>,
        /// How it sells, in words.
        channels: Input<LongText>,
        contact: Input<ContactInput>,
        /// Its legal form. Countries differ: the keys are free.
        legal: Input<LegalInput>,
        roles: Input<List<RoleInput, 8>>,
        tags: Input<List<LineText<64>, 50>>,
        /// The pictures, by the ids of attachments.
        media: Input<LogoInput>,
        /// What it asks of agents: a proposal that is no worse is accepted at once.
        standard_term: Input<TermInput>,
        /// What it keeps of tickets that customers give back, unless an event says otherwise.
        refund_policy: Input<RefundPolicyInput>,
        removed: Input<Flag>,
        /// All users that manage it.
        pub(crate) users: Input<List<IdRef<User>, 100>>,
    }
}

requires! {
    /// A new partner.
    pub(crate) struct NewPartner: PartnerInput { name }
}

impl PartnerInput {
    /// All but the name and the users.
    pub(crate) fn into_patch(self, name: Patch<String>, problems: &mut Problems) -> PartnerPatch {
        let tags = self.tags.patch("tags", problems).map(|list| list.0.into_iter().map(|tag| tag.0).collect());
        let roles = self.roles.patch("roles", problems).map(|list| {
            let mut roles: Vec<PartnerRole> = list.0.into_iter().map(|role| role.0).collect();
            roles.sort_unstable();
            roles.dedup();
            roles
        });
        PartnerPatch {
            name,
            desc: self.desc.patch("desc", problems).map(|text| text.0),
            director: self.director.patch("director", problems).map(|text| text.0),
            channels: self.channels.patch("channels", problems).map(|text| text.0),
            contact: self.contact.patch("contact", problems).map(|contact| contact.0),
            legal: self.legal.patch("legal", problems).map(|legal| legal.0),
            roles,
            tags,
            media: media_patch(self.media.patch("media", problems)),
            standard_terms: self.standard_term.patch("standard_term", problems).map(|term| {
                let TermInput(ProposedTerms { organizer_share: org, markup: extra, platform_fee_on_top: pfc }) = term;
                StandardTerms { organizer_share: org, markup: extra, platform_fee_on_top: pfc }
            }),
            refund_policy: self.refund_policy.patch("refund_policy", problems).map(|policy| policy.0),
            removed: self.removed.patch("removed", problems).map(|flag| flag.0),
        }
    }
}

fields! {
    struct ContactFields {
        address: Input<LineText<1000>>,
        email: Input<LineText>,
        name: Input<LineText>,
        phones: Input<List<LineText<64>, 20>>,
        www: Input<LineText<2048>>,
    }
}

/// A partner's contact in a request.
struct ContactInput(ContactPatch);

impl FromJson for ContactInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: ContactFields = parse_object(json)?;
        let mut problems = Problems::default();
        let patch = ContactPatch {
            address: fields.address.patch("address", &mut problems).map(|text| text.0),
            email: fields.email.patch("email", &mut problems).map(|text| text.0),
            name: fields.name.patch("name", &mut problems).map(|text| text.0),
            phones: fields
                .phones
                .patch("phones", &mut problems)
                .map(|list| list.0.into_iter().map(|text| text.0).collect()),
            www: fields.www.patch("www", &mut problems).map(|text| text.0),
        };
        problems.into_result(Self(patch))
    }

    fn json_schema() -> RefOr<Schema> {
        ContactFields::schema()
    }
}

const ROLES: [(&str, PartnerRole); 2] = [("org", PartnerRole::Organizer), ("agent", PartnerRole::Agent)];

struct RoleInput(PartnerRole);

impl FromJson for RoleInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&ROLES, json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(ROLES.map(|(name, _)| name)).into()
    }
}

/// A partner's legal form: objects of short texts and flags. Countries differ, so that its keys are
/// free.
struct LegalInput(serde_json::Map<String, Value>);

impl FromJson for LegalInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let problem = |problem: &str| vec![ErrorDetail { field: String::new(), problem: problem.to_owned() }];
        let legal: serde_json::Map<String, Value> =
            serde_json::from_str(json).map_err(|_| problem("must be an object"))?;
        let mut keys = 0;
        if !legal.iter().all(|(key, value)| is_valid_legal_entry(key, value, 1, &mut keys))
            || keys > LEGAL_KEYS_MAX as usize
        {
            return Err(problem(
                "must be an object of at most 100 texts of at most 1000 characters, in at most 3 levels",
            ));
        }
        Ok(Self(legal))
    }

    fn json_schema() -> RefOr<Schema> {
        let about = "Texts of at most 1000 characters, numbers and flags, in at most 3 levels of objects.";
        ObjectBuilder::new().schema_type(Type::Object).description(Some(about)).into()
    }
}

fn is_valid_legal_entry(key: &str, value: &Value, level: u32, keys: &mut usize) -> bool {
    *keys += 1;
    let plain = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    plain(key, 64)
        && match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
            Value::String(text) => plain(text, 1000),
            Value::Array(_) => false,
            Value::Object(nested) => {
                level < 3 && nested.iter().all(|(key, value)| is_valid_legal_entry(key, value, level + 1, keys))
            }
        }
}
