//! A partner as v1 shows it, and as requests write it.

use kassa_domain::Patch;
use kassa_domain::deal::WantedTerms;
use kassa_domain::partner::{
    Contact, ContactPatch, LEGAL_KEYS_MAX, Partner, PartnerId, PartnerPatch, Role, StandardTerm,
};
use kassa_domain::user::{User, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::Base;
use crate::error::Detail;
use crate::input::{Flag, FromJson, Input, List, Logo, LongText, Name, Problems, Text, media_patch, object};
use crate::v1::deals::model::TermInput;
use crate::v1::users::model::UserBody;
use crate::wire::{LOGO, MediaBody, Time, show_share};

/// A partner in full (seed, Partner): for its users and keys.
#[derive(Debug, Serialize)]
pub(crate) struct PartnerBody {
    id: PartnerId,
    name: String,
    desc: Option<String>,
    director: Option<String>,
    channels: Option<String>,
    contact: ContactBody,
    legal: Option<serde_json::Map<String, Value>>,
    media: MediaBody,
    roles: Vec<&'static str>,
    tags: Vec<String>,
    standard_term: Option<StandardBody>,
    removed: bool,
    user: Option<UserBody>,
    users: Vec<UserId>,
    created_at: Time,
    updated_at: Time,
}

/// An empty object.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Empty {}

/// What everybody sees of a partner (decisions §2).
#[derive(Debug, Serialize)]
pub(crate) struct FaceBody {
    id: PartnerId,
    name: String,
    desc: Option<String>,
    media: MediaBody,
    tags: Vec<String>,
    roles: Vec<&'static str>,
    contact: FaceContact,
}

/// What an organizer asks of agents.
#[derive(Debug, Serialize)]
struct StandardBody {
    org: String,
    extra: String,
    pfc: bool,
}

impl From<StandardTerm> for StandardBody {
    fn from(term: StandardTerm) -> Self {
        Self { org: show_share(term.org, 2), extra: show_share(term.extra, 1), pfc: term.pfc }
    }
}

/// How to reach a partner.
#[derive(Debug, Serialize)]
struct ContactBody {
    address: Option<String>,
    email: Option<String>,
    name: Option<String>,
    phones: Vec<String>,
    www: Option<String>,
}

impl From<Contact> for ContactBody {
    fn from(contact: Contact) -> Self {
        let Contact { address, email, name, phones, www } = contact;
        Self { address, email, name, phones, www }
    }
}

fn role_names(roles: &[Role]) -> Vec<&'static str> {
    let name = |role: &Role| match role {
        Role::Org => "org",
        Role::Agent => "agent",
    };
    roles.iter().map(name).collect()
}

#[derive(Debug, Serialize)]
struct FaceContact {
    www: Option<String>,
}

impl PartnerBody {
    /// `user` is the one that made it, `users` those that manage it.
    pub(crate) fn new(partner: &Partner, user: Option<&User>, users: Vec<UserId>, base: &Base) -> Self {
        let about = partner.about.clone();
        Self {
            id: partner.id,
            name: partner.name.clone(),
            desc: about.desc,
            director: about.director,
            channels: about.channels,
            contact: about.contact.into(),
            legal: about.legal,
            media: MediaBody::new(&about.media, LOGO, base),
            roles: role_names(&about.roles),
            tags: about.tags,
            standard_term: about.standard_term.map(StandardBody::from),
            removed: partner.removed,
            user: user.map(|user| UserBody::new(user, vec![partner.id])),
            users,
            created_at: Time(partner.created_at),
            updated_at: Time(partner.updated_at),
        }
    }
}

impl FaceBody {
    pub(crate) fn new(partner: &Partner, base: &Base) -> Self {
        let about = partner.about.clone();
        Self {
            id: partner.id,
            name: partner.name.clone(),
            desc: about.desc,
            media: MediaBody::new(&about.media, LOGO, base),
            tags: about.tags,
            roles: role_names(&about.roles),
            contact: FaceContact { www: about.contact.www },
        }
    }
}

/// A partner in a request.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct PartnerInput {
    pub(crate) name: Input<Name>,
    desc: Input<LongText>,
    director: Input<Text>,
    channels: Input<LongText>,
    contact: Input<ContactInput>,
    legal: Input<Legal>,
    roles: Input<List<RoleInput, 8>>,
    tags: Input<List<Text<64>, 50>>,
    media: Input<Logo>,
    standard_term: Input<TermInput>,
    removed: Input<Flag>,
    pub(crate) users: Input<List<crate::input::Ref<User>, 100>>,
}

impl PartnerInput {
    /// All but the name and the users.
    pub(crate) fn into_patch(self, name: Patch<String>, problems: &mut Problems) -> PartnerPatch {
        let tags = self.tags.patch("tags", problems).map(|list| list.0.into_iter().map(|tag| tag.0).collect());
        let roles = self.roles.patch("roles", problems).map(|list| {
            let mut roles: Vec<Role> = list.0.into_iter().map(|role| role.0).collect();
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
            standard_term: self.standard_term.patch("standard_term", problems).map(|term| {
                let TermInput(WantedTerms { org, extra, pfc }) = term;
                StandardTerm { org, extra, pfc }
            }),
            removed: self.removed.patch("removed", problems).map(|flag| flag.0),
        }
    }
}

/// A partner's contact in a request.
struct ContactInput(ContactPatch);

impl FromJson for ContactInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Fields {
            address: Input<Text<1000>>,
            email: Input<Text>,
            name: Input<Text>,
            phones: Input<List<Text<64>, 20>>,
            www: Input<Text<2048>>,
        }
        let fields: Fields = object(json)?;
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
        let details = problems.into_details();
        if details.is_empty() { Ok(Self(patch)) } else { Err(details) }
    }
}

struct RoleInput(Role);

impl FromJson for RoleInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        match json {
            "\"org\"" => Ok(Self(Role::Org)),
            "\"agent\"" => Ok(Self(Role::Agent)),
            _ => Err(vec![Detail { field: String::new(), problem: "must be org or agent".to_owned() }]),
        }
    }
}

/// A partner's legal form: objects of short texts and flags. Countries differ, so that its keys are
/// free.
struct Legal(serde_json::Map<String, Value>);

impl FromJson for Legal {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let problem = |problem: &str| vec![Detail { field: String::new(), problem: problem.to_owned() }];
        let legal: serde_json::Map<String, Value> =
            serde_json::from_str(json).map_err(|_| problem("must be an object"))?;
        let mut keys = 0;
        if !legal.iter().all(|(key, value)| sound(key, value, 1, &mut keys)) || keys > LEGAL_KEYS_MAX as usize {
            return Err(problem(
                "must be an object of at most 100 texts of at most 1000 characters, in at most 3 levels",
            ));
        }
        Ok(Self(legal))
    }
}

fn sound(key: &str, value: &Value, level: u32, keys: &mut usize) -> bool {
    *keys += 1;
    let plain = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    plain(key, 64)
        && match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
            Value::String(text) => plain(text, 1000),
            Value::Array(_) => false,
            Value::Object(nested) => level < 3 && nested.iter().all(|(key, value)| sound(key, value, level + 1, keys)),
        }
}
