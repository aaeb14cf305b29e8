//! Partners, who manages them, their API keys and attachments.

use crate::database::{Database, keys};
use crate::dice::{API_KEYS, Dice, PARTNERS};
use crate::guards::write_error;
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, at};
use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::{Attachment, Hex128};
use kassa_domain::change::Revision;
use kassa_domain::media::{Media, MediaItem};
use kassa_domain::partner::{self, Contact, Partner, PartnerId, PartnerManager, PartnerRole, Role, StandardTerms};
use kassa_domain::price::Share;
use kassa_domain::quota::{PartnerUsage, QuotaExceptions, QuotaKind};
use kassa_domain::refund::RefundPolicy;
use kassa_domain::suspension::Suspension;
use kassa_domain::widget_token::WidgetToken;
use kassa_domain::{Id, Money, Percent, ReadSet, View};
use kassa_store::StoreError;
use kassa_store::queries::{ApiKeysFilter, AttachmentsFilter, AttachmentsToDiscard, PartnersFilter};
use std::cmp::Ordering;

pub(crate) fn partner(key: i64) -> Partner {
    Partner {
        id: Id::root(key),
        name: format!("Partner {key}"),
        profile: partner::PartnerProfile::default(),
        removed: false,
        suspension: None,
        user: None,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
        usage: PartnerUsage::default(),
        quotas: QuotaExceptions::new(),
    }
}

/// Suspended by the operator.
pub(crate) fn suspension() -> Suspension {
    Suspension { since: at(7), reason: Some("asked by \"the bank\"".to_owned()) }
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
        shop: partner::Shop {
            stripe: Some(partner::StripeAccount {
                secret_key: partner::SealedSecret { sealed: "00ff".to_owned(), ending: "p7dc".to_owned() },
                webhook_secret: None,
            }),
            is_open: true,
            payments: vec![partner::PaymentProvider::Transfer, partner::PaymentProvider::Door],
            accent: Some(partner::Color([1, 2, 255])),
            transfer: None,
            origins: vec!["https://www.example.org".parse().unwrap()],
            about: text("line\nline"),
            email: text("box@example.org"),
            phone: text("+1 555"),
            header: None,
            terms: Some(partner::ShopTerms { text: text("No refunds."), file: None, since: at(9) }),
        },
        widget_tokens: vec![WidgetToken { id: Id::root(9), event: Some(Id::root(10)), created_at: at(8) }],
        desc: text("line\nline"),
        director: text("O'Hara"),
        channels: text("?"),
        contact,
        legal: legal.as_object().cloned(),
        roles: vec![PartnerRole::Organizer, PartnerRole::Agent],
        tags: vec!["rock".to_owned(), "джаз".to_owned()],
        media: media(),
        standard_terms: Some(StandardTerms {
            markup_max: StandardTerms::default_markup_max(),
            organizer_share: Share::Percent(Percent::from_units(900_000)),
            markup: Share::Amount(Money::from_minor(50)),
            platform_fee_on_top: true,
        }),
        refund_policy: Some(policy()),
        require_second_factor: true,
    };
    let usage = QuotaKind::ALL.into_iter().zip(1..).collect();
    let quotas = QuotaExceptions::from([(QuotaKind::Events, 0), (QuotaKind::AnswerBytes, i64::MAX)]);
    Partner { profile: about, removed: true, suspension: None, user: Some(Id::root(2)), usage, quotas, ..partner(key) }
}

pub(crate) fn manager(partner: i64, user: i64) -> PartnerManager {
    PartnerManager { partner: Id::root(partner), user: Id::root(user), role: Role::Seller }
}

pub(crate) fn api_key(key: i64, partner: i64) -> ApiKey {
    ApiKey {
        id: Id::root(key),
        partner: Id::root(partner),
        name: format!("key {key}"),
        secret_hash: [u8::try_from(key % 251).unwrap(); 32],
        encrypted_secret: vec![0, 255, 1],
        has_customers: key % 2 == 0,
        removed: false,
        created_at: at(key),
        revision: Revision::stored(1, None),
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
        revision: Revision::stored(1, None),
        bytes_discarded: false,
    }
}

pub(crate) fn media() -> Media {
    let item = |key| Some(MediaItem::from(&attachment(key, 1)));
    Media { main: item(5), small: None, original: item(6) }
}

/// A policy that is not the usual one.
pub(crate) fn policy() -> RefundPolicy {
    RefundPolicy { retained: Percent::from_units(125_000), days_before: 3, after_start: true }
}

kind!(
    Partner,
    partners,
    |row, read_set| read_set.partners.push(row.id),
    [samples::partner(1), samples::full_partner(2)],
    |row| Partner {
        name: String::new(),
        profile: samples::full_partner(1).profile,
        removed: !row.removed,
        suspension: Some(samples::suspension()),
        updated_at: at(99),
        revision: samples::revision(2),
        usage: QuotaKind::ALL.into_iter().zip(5..).collect(),
        quotas: QuotaExceptions::from([(QuotaKind::Tickets, 3)]),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            for key in 1..=PARTNERS {
                // Whatever more may not act, lists of events show less.
                let (removed, suspension) = (key == 2, (key == 2).then(samples::suspension));
                view.partners.put(Partner { removed, suspension, ..partner(key) });
            }
        }

        fn plan_cases(cases: &mut PlanCases) {
            partners(cases);
        }
    }
);

kind!(
    PartnerManager,
    managers,
    |row, read_set| read_set.managers.push((row.partner, row.user)),
    [samples::manager(1, 1), samples::manager(1, 2), samples::manager(2, 1)],
    |row| row
);

kind!(
    ApiKey,
    keys,
    |row, read_set| read_set.keys.push(row.id),
    [samples::api_key(1, 1), samples::api_key(2, 1)],
    |row| { ApiKey { name: "renamed".to_owned(), removed: true, revision: samples::revision(2), ..row } },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=API_KEYS).for_each(|key| put_key(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            api_keys(cases);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            vec![UniquePair::new(
                "hash of a key",
                |view| view.keys.put(ApiKey { secret_hash: [9; 32], ..api_key(11, 1) }),
                |view| view.keys.put(ApiKey { secret_hash: [9; 32], removed: true, ..api_key(12, 2) }),
            )]
        }
    }
);

kind!(
    Attachment,
    attachments,
    |row, read_set| read_set.attachments.push(row.id),
    [samples::attachment(1, 1), samples::attachment(2, 1)],
    |row| Attachment {
        removed: true,
        bytes_discarded: true,
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=API_KEYS).for_each(|key| put_attachment(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            attachments(cases);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            vec![UniquePair::new(
                "token of an attachment",
                |view| view.attachments.put(attachment(11, 1)),
                |view| view.attachments.put(Attachment { token: Hex128(11_i128.to_be_bytes()), ..attachment(12, 2) }),
            )]
        }
    }
);

fn put_key(dice: &mut Dice, key: i64, view: &mut View) {
    view.keys.put(ApiKey { partner: dice.partner(), removed: dice.flip(), ..samples::api_key(key, 1) });
}

fn put_attachment(dice: &mut Dice, key: i64, view: &mut View) {
    let attachment = samples::attachment(key, dice.partner().key());
    view.attachments.put(Attachment { removed: dice.flip(), bytes_discarded: dice.flip(), ..attachment });
}

impl ListModel for PartnersFilter {
    fn includes(&self, partner: &Partner, all: &View) -> bool {
        let deals_with = |own: &Vec<PartnerId>| {
            own.contains(&partner.id) || all.deals.rows().any(|deal| deal.is_between(partner.id, own))
        };
        self.ids.as_ref().is_none_or(|ids| ids.contains(&partner.id))
            && self.counterparties_of.as_ref().is_none_or(deals_with)
            && (!partner.removed || self.include_removed_of.contains(&partner.id))
    }
}

pub(crate) async fn partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PartnersFilter {
        ids: dice.rarely(|dice| dice.some(Dice::partner)),
        counterparties_of: dice.maybe(|dice| dice.some(Dice::partner)),
        include_removed_of: dice.some(Dice::partner),
    };
    assert_lists_agree::<PartnersFilter>(db, filter).await;
}

impl ListModel for ApiKeysFilter {
    fn includes(&self, key: &ApiKey, _: &View) -> bool {
        key.partner == self.partner
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&key.id))
            && (self.include_removed || !key.removed)
    }
}

pub(crate) async fn keys_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| ApiKeysFilter {
        partner: dice.partner(),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.key()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree::<ApiKeysFilter>(db, filter).await;
}

impl ListModel for AttachmentsFilter {
    fn includes(&self, attachment: &Attachment, _: &View) -> bool {
        self.authors.contains(&attachment.author)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&attachment.id))
            && (self.include_removed || !attachment.removed)
    }
}

pub(crate) async fn attachments_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| AttachmentsFilter {
        authors: dice.some(Dice::partner),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.attachment()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree::<AttachmentsFilter>(db, filter).await;
}

impl ListModel for AttachmentsToDiscard {
    fn includes(&self, attachment: &Attachment, _: &View) -> bool {
        attachment.removed && !attachment.bytes_discarded
    }

    fn compare(&self, one: &Attachment, other: &Attachment) -> Ordering {
        one.id.cmp(&other.id)
    }
}

pub(crate) async fn attachments_to_discard_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<AttachmentsToDiscard>(db, |_| AttachmentsToDiscard).await;
}

/// What shows an attachment is found by its token, whichever picture it is.
pub(crate) async fn what_shows_an_attachment_is_found(db: Database) {
    let item = |key| Some(MediaItem::from(&samples::attachment(key, 1)));
    let shows = |main, small, original| Media { main, small, original };
    let pictures = [shows(item(5), None, None), shows(None, item(5), None), shows(item(6), None, item(5)), media()];
    db.insert(|view| {
        for (key, media) in (1..).zip(&pictures) {
            let profile = partner::PartnerProfile { media: media.clone(), ..partner::PartnerProfile::default() };
            view.partners.put(Partner { profile, ..partner(key) });
            let mut event = samples::event(key);
            event.details.media = media.clone();
            view.events.put(event);
        }
    })
    .await;
    for (key, expected) in [(5, &[1, 2, 3, 4][..]), (6, &[3, 4]), (7, &[])] {
        let token = samples::attachment(key, 1).token;
        let read_set = ReadSet { partners_showing: vec![token], events_showing: vec![token], ..ReadSet::default() };
        let view = db.view(read_set).await;
        let expected: Vec<PartnerId> = expected.iter().map(|key| Id::root(*key)).collect();
        assert_eq!(keys(view.partners.rows()), expected, "{key}");
        let events: Vec<i64> = keys(view.events.rows()).into_iter().map(Id::key).collect();
        assert_eq!(events, expected.iter().map(|id| id.key()).collect::<Vec<_>>(), "{key}");
    }
}

pub(crate) async fn a_counter_of_what_is_stored_is_never_below_zero(db: Database) {
    for kind in QuotaKind::ALL {
        let wrong = Partner { usage: [(kind, -1)].into_iter().collect(), ..partner(1) };
        let error = write_error(&db, |view| view.partners.put(wrong.clone())).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{kind}: {error:?}");
    }
}

pub(crate) async fn a_key_is_found_by_its_hash(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.keys.put(samples::api_key(key, 1)))).await;
    let key_hashes = vec![samples::api_key(3, 1).secret_hash, [200; 32]];
    let view = db.view(ReadSet { keys_by_hash: key_hashes, ..ReadSet::default() }).await;
    assert_eq!(keys(view.keys.rows()), [Id::root(3)]);
}

pub(crate) async fn an_attachment_is_found_by_its_token(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.attachments.put(samples::attachment(key, 1)))).await;
    let attachment_tokens = vec![samples::attachment(3, 1).token, Hex128([200; 16])];
    let view = db.view(ReadSet { attachments_by_token: attachment_tokens, ..ReadSet::default() }).await;
    assert_eq!(keys(view.attachments.rows()), [Id::root(3)]);
}

pub(crate) async fn ties_are_found_from_both_sides(db: Database) {
    let ties = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 3)].map(|(partner, user)| manager(partner, user));
    db.insert(|view| ties.iter().for_each(|tie| view.managers.put(tie.clone()))).await;
    let cases: [(ReadSet, &[usize]); 5] = [
        (ReadSet { managers_of: vec![Id::root(1)], ..ReadSet::default() }, &[0, 1]),
        (ReadSet { partners_of: vec![Id::root(3)], ..ReadSet::default() }, &[3, 4]),
        (
            ReadSet { managers: vec![(Id::root(2), Id::root(1)), (Id::root(3), Id::root(1))], ..ReadSet::default() },
            &[2],
        ),
        (ReadSet { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..ReadSet::default() }, &[0, 1, 2]),
        (ReadSet { managers_of: vec![Id::root(9)], partners_of: vec![Id::root(9)], ..ReadSet::default() }, &[]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let expected: Vec<_> = expected.iter().map(|at| (ties[*at].partner, ties[*at].user)).collect();
        assert_eq!(keys(view.managers.rows()), expected, "{read_set:?}");
    }
    let read_set = ReadSet { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..ReadSet::default() };
    let view = db.view(read_set).await;
    assert_eq!(view.managers_of(Id::root(1)), [Id::root(1), Id::root(2)]);
    assert_eq!(view.partners_of(Id::root(1)), [Id::root(1), Id::root(2)]);
}

pub(crate) async fn an_attachment_without_bytes_is_refused(db: Database) {
    for length in [0, -1] {
        let empty = Attachment { length, ..samples::attachment(1, 1) };
        let error = write_error(&db, |view| view.attachments.put(empty.clone())).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{length}: {error:?}");
    }
}

fn partners(cases: &mut PlanCases) {
    let partner = Id::root(1);
    for removed_of in [Vec::new(), vec![partner; 2]] {
        let named = PartnersFilter {
            ids: Some(vec![partner; 2]),
            counterparties_of: None,
            include_removed_of: removed_of.clone(),
        };
        let around =
            PartnersFilter { ids: None, counterparties_of: Some(vec![partner; 2]), include_removed_of: removed_of };
        cases.add_sorted(&named);
        cases.add_sorted(&around);
    }
    cases.add_filtered(&PartnersFilter::default());
}

fn api_keys(cases: &mut PlanCases) {
    let partner = Id::root(1);
    for (ids, removed) in [(None, true), (None, false), (Some(vec![Id::root(2); 2]), true)] {
        cases.add_sorted(&ApiKeysFilter { partner, ids, include_removed: removed });
    }
}

fn attachments(cases: &mut PlanCases) {
    let author = Id::root(1);
    for removed in [false, true] {
        cases.add_ordered(&AttachmentsFilter { authors: vec![author], ids: None, include_removed: removed });
        cases.add_sorted(&AttachmentsFilter { authors: vec![author; 2], ids: None, include_removed: removed });
        cases.add_sorted(&AttachmentsFilter {
            authors: vec![author],
            ids: Some(vec![Id::root(2); 2]),
            include_removed: removed,
        });
    }
    cases.add(&AttachmentsToDiscard, AccessPath::WholeIndex, &["attachments_to_discard"]);
}
