//! A partner as v1 shows it, and as requests write it.

use kassa_domain::partner::{
    Contact, ContactPatch, LEGAL_KEYS_MAX, ManagerRef, Partner, PartnerId, PartnerPatch, PartnerProfilePatch,
    PartnerRole, ShopFilesPatch,
};
use kassa_domain::permission::PartnerVisibility;
use kassa_domain::user::User;
use kassa_domain::{Patch, Timestamp, View};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::shop::{ShopBody, ShopInput};
use super::standard_term::{StandardTermBody, StandardTermInput};
use crate::base_url::BaseUrl;
use crate::error::ErrorDetail;
use crate::input::{
    EmailText, Flag, FromJson, Input, LineText, List, LongText, NameText, Problems, fields, parse_object, requires,
};
use crate::openapi::schema;
use crate::route::{FieldKind, ResourceKind};
use crate::v1::refund_policy::{RefundPolicyBody, RefundPolicyInput};
use crate::v1::users::model::UserBody;
use crate::wire::{
    IdRef, LogoBody, LogoInput, PartnerRef, Referenced, Time, UserRef, WireField, enum_input, enum_names, media_patch,
    wire_form,
};

wire_form! {
    /// A partner, as its own users and keys see it.
    #[derive(Debug)]
    #[schema(as = Partner)]
    pub(crate) struct PartnerBody {
        /// The id of the partner.
        id: PartnerRef,
        /// The name of the partner.
        name: String,
        /// A description; `null` if there is none.
        desc: Option<String>,
        /// Who leads it; `null` if that is not set.
        director: Option<String>,
        /// Where and how it sells, in its own words; `null` if that is not set.
        channels: Option<String>,
        /// How to reach it.
        contact: ContactBody,
        /// Its legal details, under keys of its own; `null` if they are not set.
        legal: Option<serde_json::Map<String, Value>>,
        /// The logo: `logo`, `logo_small` and `logo_original`, as far as they are set.
        media: LogoBody,
        #[schema(schema_with = roles_schema)]
        roles: Vec<&'static str>,
        /// Labels to search by.
        tags: Vec<String>,
        /// The terms on which it accepts any agent's proposal at once; `null` if there are none.
        standard_term: Option<StandardTermBody>,
        /// What it keeps of the price when customers return tickets, unless the event has a policy of its own. `null`:
        /// nothing is kept.
        refund_policy: Option<RefundPolicyBody>,
        /// Whether only those of its users may act for it that have a second factor.
        require_second_factor: bool,
        /// How it sells to people.
        shop: ShopBody,
        /// Whether it is removed.
        removed: bool,
        /// Whether the operator has suspended it: nobody can act for it, and its events are not on sale.
        suspended: bool,
        /// The user that created it, whose names and e-mail only the user itself sees; `null` if no user did.
        user: Option<UserBody>,
        /// The users that manage it.
        users: Vec<UserRef>,
        /// The users that are invited to manage it and have not answered.
        invited: Vec<UserRef>,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static PARTNER: ResourceKind = ResourceKind::new("partner", PartnerBody::KIND);

impl Referenced for Partner {
    fn kind() -> &'static ResourceKind {
        &PARTNER
    }
}

/// A partner, as everyone sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartnerFace)]
pub(crate) struct PublicPartnerBody {
    /// The id of the partner.
    id: PartnerRef,
    /// The name of the partner.
    name: String,
    /// A description; `null` if there is none.
    desc: Option<String>,
    /// The logo: `logo`, `logo_small` and `logo_original`, as far as they are set.
    media: LogoBody,
    /// Labels to search by.
    tags: Vec<String>,
    #[schema(schema_with = roles_schema)]
    roles: Vec<&'static str>,
    /// Its website.
    contact: ContactBody,
    /// How it sells to people.
    shop: ShopBody,
}

/// A partner, as the other side of an accepted deal sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartnerSide)]
pub(crate) struct CounterpartyPartnerBody {
    /// The id of the partner.
    id: PartnerRef,
    /// The name of the partner.
    name: String,
    /// A description; `null` if there is none.
    desc: Option<String>,
    /// The logo: `logo`, `logo_small` and `logo_original`, as far as they are set.
    media: LogoBody,
    /// Labels to search by.
    tags: Vec<String>,
    #[schema(schema_with = roles_schema)]
    roles: Vec<&'static str>,
    /// How to reach it.
    contact: ContactBody,
    /// Its legal details, under keys of its own; `null` if they are not set.
    legal: Option<serde_json::Map<String, Value>>,
    /// How it sells to people.
    shop: ShopBody,
}

/// How to reach a partner: everyone sees the website, the partner itself and the other side of a deal all of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Contact)]
#[serde(untagged)]
pub(crate) enum ContactBody {
    Full {
        /// The id of the contact: that of the partner.
        id: PartnerRef,
        /// The postal address; `null` if it is not set.
        address: Option<String>,
        /// The e-mail address; `null` if it is not set.
        email: Option<String>,
        /// Whom to ask for; `null` if it is not set.
        name: Option<String>,
        /// Phone numbers.
        phones: Vec<String>,
        /// The website; `null` if it is not set.
        www: Option<String>,
    },
    Public {
        /// The id of the contact: that of the partner.
        id: PartnerRef,
        /// The website; `null` if it is not set.
        www: Option<String>,
    },
}

impl WireField for ContactBody {
    const KIND: FieldKind = FieldKind::Object(&[
        ("id", FieldKind::Scalar),
        ("address", FieldKind::Scalar),
        ("email", FieldKind::Scalar),
        ("name", FieldKind::Scalar),
        ("phones", FieldKind::Scalar),
        ("www", FieldKind::Scalar),
    ]);
}

impl ContactBody {
    pub(crate) fn new(partner: PartnerId, contact: Contact, sight: PartnerVisibility) -> Self {
        let id = IdRef(partner);
        let Contact { address, email, name, phones, www } = contact;
        match sight {
            PartnerVisibility::Full | PartnerVisibility::Counterparty => {
                Self::Full { id, address, email, name, phones, www }
            }
            PartnerVisibility::Public => Self::Public { id, www },
        }
    }
}

fn role_names(roles: &[PartnerRole]) -> Vec<&'static str> {
    roles.iter().map(|role| PARTNER_ROLES.name(*role)).collect()
}

fn roles_schema() -> RefOr<Schema> {
    let about = "`org` if it organizes events, `agent` if it sells those of others.";
    schema::list(PARTNER_ROLES.schema()).description(Some(about)).into()
}

impl PartnerBody {
    /// `own` is the account of the caller, if it made the partner; `view` has its managers and its invitations.
    pub(crate) fn new(partner: &Partner, own: Option<&User>, view: &View, now: Timestamp, base: &BaseUrl) -> Self {
        let about = partner.profile.clone();
        Self {
            id: IdRef(partner.id),
            name: partner.name.clone(),
            desc: about.desc,
            director: about.director,
            channels: about.channels,
            contact: ContactBody::new(partner.id, about.contact, PartnerVisibility::Full),
            shop: ShopBody::new(&about.shop, base),
            legal: about.legal,
            media: LogoBody::new(&about.media, base),
            roles: role_names(&about.roles),
            tags: about.tags,
            standard_term: about.standard_terms.map(StandardTermBody::from),
            refund_policy: about.refund_policy.map(RefundPolicyBody::from),
            require_second_factor: about.require_second_factor,
            removed: partner.removed,
            suspended: partner.suspension.is_some(),
            user: partner.user.map(|founder| match own.filter(|own| own.id == founder) {
                Some(own) => UserBody::new(own, vec![partner.id]),
                None => UserBody::of_founder(founder, partner),
            }),
            users: view.managers_of(partner.id).into_iter().map(IdRef).collect(),
            invited: view.invited_by(partner.id, now).into_iter().map(IdRef).collect(),
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
            media: LogoBody::new(&about.media, base),
            tags: about.tags,
            roles: role_names(&about.roles),
            contact: ContactBody::new(partner.id, about.contact, PartnerVisibility::Public),
            shop: ShopBody::public(&about.shop, base),
        }
    }
}

impl CounterpartyPartnerBody {
    pub(crate) fn new(partner: &Partner, base: &BaseUrl) -> Self {
        let about = &partner.profile;
        let contact = ContactBody::new(partner.id, about.contact.clone(), PartnerVisibility::Counterparty);
        let PublicPartnerBody { id, name, desc, media, tags, roles, shop, .. } = PublicPartnerBody::new(partner, base);
        Self { id, name, desc, media, tags, roles, contact, legal: about.legal.clone(), shop }
    }
}

fields! {
    /// A partner in a request.
    pub(crate) struct PartnerInput {
        /// The name of the partner; up to 255 characters.
        pub(crate) name: Input<NameText>,
        /// A description; up to 10000 characters.
        desc: Input<LongText>,
        /// Who leads it; up to 255 characters.
        director: Input<LineText>,
        /// Where and how it sells, in its own words; up to 10000 characters.
        channels: Input<LongText>,
        /// How to reach it. `null` clears all of it.
        contact: Input<ContactInput>,
        /// Its legal details, under keys of its own, since countries differ.
        legal: Input<LegalInput>,
        /// `org` if it organizes events, `agent` if it sells those of others.
        roles: Input<List<RoleInput, 8>>,
        /// Labels to search by: up to 50 of up to 64 characters, which replace those that it has.
        tags: Input<List<LineText<64>, 50>>,
        /// The logo, by the ids of image attachments. `null` or `[]` removes all pictures.
        media: Input<LogoInput>,
        /// The terms on which it accepts any agent's proposal at once: a proposal that is no worse for it, in money over
        /// the prices of the event, becomes an accepted deal. `null` for none.
        standard_term: Input<StandardTermInput>,
        /// What it keeps of the price when customers return tickets, unless the event has a policy of its own.
        refund_policy: Input<RefundPolicyInput>,
        /// Whether only those of its users may act for it that have a second factor. Only a user who has one can change
        /// it.
        require_second_factor: Input<Flag>,
        /// How it sells to people. `null` closes its shop.
        shop: Input<ShopInput>,
        /// `true` removes the partner, `false` restores it.
        removed: Input<Flag>,
        /// All users that shall manage it, by id or by e-mail. Those who do not yet are invited, and manage it once
        /// they accept; an invitation is taken back by leaving its user out. At least one of those who manage it stays.
        pub(crate) users: Input<List<ManagerInput, 100>>,
    }
}

/// A user by its id, or whoever has an e-mail.
#[derive(Clone, Debug)]
pub(crate) struct ManagerInput(pub(crate) ManagerRef);

impl FromJson for ManagerInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        if json.contains('@') {
            return EmailText::from_json(json).map(|address| Self(ManagerRef::Email(address.0)));
        }
        <IdRef<User>>::from_json(json).map(|user| Self(ManagerRef::User(user.0)))
    }

    fn json_schema() -> RefOr<Schema> {
        let pattern = r"^([0-9a-f]{24}|[^\x00-\x20@\x7f-\x9f]+@[^\x00-\x20@\x7f-\x9f]+)$";
        schema::text().max_length(Some(254)).pattern(Some(pattern)).into()
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
        // Clients may show the problems as they come: in this order, which is not that of the patch.
        let desc = self.desc.patch("desc", problems).map(|text| text.0);
        let director = self.director.patch("director", problems).map(|text| text.0);
        let channels = self.channels.patch("channels", problems).map(|text| text.0);
        let contact = self.contact.patch("contact", problems).map(|contact| contact.0);
        let legal = self.legal.patch("legal", problems).map(|legal| legal.0);
        let media = media_patch(self.media.patch("media", problems));
        let standard_terms = self.standard_term.patch("standard_term", problems).map(|term| term.0);
        let refund_policy = self.refund_policy.patch("refund_policy", problems).map(|policy| policy.0);
        let require_second_factor =
            self.require_second_factor.patch("require_second_factor", problems).map(|flag| flag.0);
        let (shop, shop_files) = match self.shop.patch("shop", problems) {
            Patch::Keep => (Patch::Keep, ShopFilesPatch::default()),
            Patch::Clear => (Patch::Clear, ShopFilesPatch::default()),
            Patch::Set(shop) => (Patch::Set(shop.patch), shop.files),
        };
        PartnerPatch {
            name,
            legal,
            media,
            shop_files,
            profile: PartnerProfilePatch {
                desc,
                director,
                channels,
                contact,
                roles,
                tags,
                standard_terms,
                refund_policy,
                require_second_factor,
                shop,
            },
            removed: self.removed.patch("removed", problems).map(|flag| flag.0),
        }
    }
}

fields! {
    struct ContactFields {
        /// The postal address; up to 1000 characters.
        address: Input<LineText<1000>>,
        /// The e-mail address; up to 255 characters.
        email: Input<LineText>,
        /// Whom to ask for; up to 255 characters.
        name: Input<LineText>,
        /// Phone numbers: up to 20 of up to 64 characters.
        phones: Input<List<LineText<64>, 20>>,
        /// The website; up to 2048 characters.
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

enum_names! {
    static PARTNER_ROLES: PartnerRole {
        Organizer => "org",
        Agent => "agent",
    }
}

enum_input! {
    struct RoleInput(PartnerRole) of PARTNER_ROLES;
}

/// A partner's legal form: objects of short texts and flags. Countries differ, so that its keys are
/// free.
struct LegalInput(serde_json::Map<String, Value>);

impl FromJson for LegalInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let problem = |problem: &str| vec![ErrorDetail::new("", problem)];
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
