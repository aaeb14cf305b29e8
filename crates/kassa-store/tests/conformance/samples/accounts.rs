//! Users, partners, and what is theirs.

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::{Attachment, Hex128};
use kassa_domain::media::{Media, MediaItem};
use kassa_domain::partner::{self, Contact, Partner, PartnerManager, PartnerRole, StandardTerms};
use kassa_domain::price::Share;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::session::Session;
use kassa_domain::user::{Account, User, UserId};
use kassa_domain::{Id, Money, Percent};

use super::at;

/// A customer `n<key>@example.org`.
pub(crate) fn user(key: i64) -> User {
    User {
        id: Id::root(key),
        email: format!("n{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        first_name: None,
        last_name: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn session(hash: u8, user: UserId) -> Session {
    Session { hash: [hash; 32], user, password_since: at(0), expires_at: at(9_000) }
}

pub(crate) fn partner(key: i64) -> Partner {
    Partner {
        id: Id::root(key),
        name: format!("Partner {key}"),
        profile: partner::PartnerProfile::default(),
        removed: false,
        user: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_partner(key: i64) -> Partner {
    let text = |text: &str| Some(text.to_owned());
    let legal = serde_json::json!({"type": "ru/ip", "bank": {"bik": "044525225"}});
    let contact = Contact {
        address: text("1 Main St, \"B\""),
        email: text("Box@Example.org"),
        name: text("Анна"),
        phones: vec!["+1 555".to_owned(), String::new()],
        www: text("https://example.org/?a=$1"),
    };
    let about = partner::PartnerProfile {
        desc: text("line\nline"),
        director: text("O'Hara"),
        channels: text("?"),
        contact,
        legal: legal.as_object().cloned(),
        roles: vec![PartnerRole::Organizer, PartnerRole::Agent],
        tags: vec!["rock".to_owned(), "джаз".to_owned()],
        media: media(),
        standard_terms: Some(StandardTerms {
            organizer_share: Share::Percent(Percent::from_units(900_000)),
            markup: Share::Amount(Money::from_minor(50)),
            platform_fee_on_top: true,
        }),
        refund_policy: Some(policy()),
    };
    Partner { profile: about, removed: true, user: Some(Id::root(2)), ..partner(key) }
}

pub(crate) fn manager(partner: i64, user: i64) -> PartnerManager {
    PartnerManager { partner: Id::root(partner), user: Id::root(user) }
}

pub(crate) fn api_key(key: i64, partner: i64) -> ApiKey {
    ApiKey {
        id: Id::root(key),
        partner: Id::root(partner),
        name: format!("key {key}"),
        secret_hash: [u8::try_from(key % 251).unwrap(); 32],
        encrypted_secret: vec![0, 255, 1],
        removed: false,
        created_at: at(key),
        revision: 1,
    }
}

/// An attachment of a partner, whose token is told by its key.
pub(crate) fn attachment(key: i64, author: i64) -> Attachment {
    Attachment {
        id: Id::root(key),
        author: Id::root(author),
        content_type: "text/plain; charset=\"utf-8\"".parse().unwrap(),
        length: 20 * 1024 * 1024 + key,
        md5: Hex128([0; 16]),
        token: Hex128(i128::from(key).to_be_bytes()),
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(super) fn media() -> Media {
    let item = |key| Some(MediaItem::from(&attachment(key, 1)));
    Media { main: item(5), small: None, original: item(6) }
}

/// A policy that is not the usual one.
pub(crate) fn policy() -> RefundPolicy {
    RefundPolicy { retained: Percent::from_units(125_000), days_before: 3, after_start: true }
}
