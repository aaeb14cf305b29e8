//! Users, partners, and what is theirs.

use std::cmp::Ordering;

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::{Attachment, Hex128};
use kassa_domain::media::{Media, MediaItem};
use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::partner::{self, Contact, Partner, PartnerId, PartnerManager, PartnerRole, StandardTerms};
use kassa_domain::price::Share;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::session::Session;
use kassa_domain::user::{Account, SessionCutoff, User, UserId};
use kassa_domain::{Id, Money, Percent, ReadSet, View};
use kassa_store::StoreError;
use kassa_store::queries::{
    ApiKeysFilter, AttachmentsFilter, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope,
    CustomersFilter, CustomersOrder, OrderCriteria, PartnersFilter, UsersFilter,
};

use crate::database::{Database, keys};
use crate::dice::{API_KEYS, Dice, PARTNERS, USERS};
use crate::guards::write_error;
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::PlanCases;
use crate::samples::{self, at, confirmed_emails};

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

pub(crate) fn media() -> Media {
    let item = |key| Some(MediaItem::from(&attachment(key, 1)));
    Media { main: item(5), small: None, original: item(6) }
}

/// A policy that is not the usual one.
pub(crate) fn policy() -> RefundPolicy {
    RefundPolicy { retained: Percent::from_units(125_000), days_before: 3, after_start: true }
}

kind!(
    User,
    users,
    |row, read_set| read_set.users.push(row.id),
    [samples::user(1), pending(), open()],
    |row| User {
        email: format!("new{}@example.org", row.id.key()).parse().unwrap(),
        account: Account::Open {
            password_hash: "$argon2id$x".to_owned(),
            confirmed_emails: vec!["ann@example.org".parse().unwrap()],
            session_cutoff: None
        },
        first_name: Some("Ann".to_owned()),
        last_name: None,
        updated_at: at(99),
        revision: 2,
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=USERS).for_each(|key| put_user(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            customers(cases);
            cases.add_filtered(&UsersFilter);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            let user = |key, email: &str| User { email: email.parse().unwrap(), ..user(key) };
            vec![UniquePair::new(
                "e-mail",
                move |view| view.users.put(user(11, "ann@example.org")),
                move |view| view.users.put(user(12, "Ann@Example.org")),
            )]
        }
    }
);

kind!(
    Session,
    sessions,
    |row, read_set| read_set.sessions.push(row.hash),
    [samples::session(0, Id::root(1)), samples::session(255, Id::root(1))],
    |row| Session { expires_at: at(-1), ..row }
);

kind!(
    Partner,
    partners,
    |row, read_set| read_set.partners.push(row.id),
    [samples::partner(1), samples::full_partner(2)],
    |row| Partner {
        name: String::new(),
        profile: samples::full_partner(1).profile,
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            for key in 1..=PARTNERS {
                view.partners.put(Partner { removed: dice.flip(), ..partner(key) });
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
    |row| { ApiKey { name: "renamed".to_owned(), removed: true, revision: 2, ..row } },
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
    |row| Attachment { removed: true, updated_at: at(99), revision: 2, ..row },
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

fn pending() -> User {
    User { account: Account::Pending { password_hash: "$argon2id$\"'".to_owned() }, ..samples::user(2) }
}

fn open() -> User {
    let cut = Some(SessionCutoff { at: at(7), kept_session: Some([255; 32]) });
    let account = Account::Open { password_hash: String::new(), confirmed_emails: Vec::new(), session_cutoff: cut };
    User { account, last_name: Some("O'Hara".to_owned()), ..samples::user(3) }
}

fn put_user(dice: &mut Dice, key: i64, view: &mut View) {
    let (first_name, last_name) = (dice.maybe(Dice::venue_name), dice.maybe(Dice::venue_name));
    view.users.put(User { first_name, last_name, ..samples::user(key) });
}

fn put_key(dice: &mut Dice, key: i64, view: &mut View) {
    view.keys.put(ApiKey { partner: dice.partner(), removed: dice.flip(), ..samples::api_key(key, 1) });
}

fn put_attachment(dice: &mut Dice, key: i64, view: &mut View) {
    let attachment = samples::attachment(key, dice.partner().key());
    view.attachments.put(Attachment { removed: dice.flip(), ..attachment });
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

impl ListModel for UsersFilter {
    fn includes(&self, _: &User, _: &View) -> bool {
        true
    }
}

pub(crate) async fn users_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<UsersFilter>(db, |_| UsersFilter).await;
}

impl ListModel for CustomersFilter {
    fn includes(&self, user: &User, all: &View) -> bool {
        let is_caller = self.caller.as_ref().is_some_and(|(caller, _)| *caller == user.id);
        let mut orders = all.orders.rows().filter(|order| order.customer.user == Some(user.id));
        ((is_caller && self.order_criteria.is_none()) || orders.any(|order| shows_customer(self, order)))
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&user.id))
            && self.name_contains.as_ref().is_none_or(|text| searched_text(user).contains(&text.to_lowercase()))
    }

    fn compare(&self, one: &User, other: &User) -> Ordering {
        let by_text = |user: &User| (searched_text(user), user.id);
        match self.order {
            CustomersOrder::Newest => other.id.cmp(&one.id),
            CustomersOrder::Email { descending: false } => one.email.cmp(&other.email),
            CustomersOrder::Email { descending: true } => other.email.cmp(&one.email),
            CustomersOrder::Suggest { descending: false } => by_text(one).cmp(&by_text(other)),
            CustomersOrder::Suggest { descending: true } => by_text(other).cmp(&by_text(one)),
        }
    }
}

/// Whether an order makes the caller see its customer.
fn shows_customer(filter: &CustomersFilter, order: &Order) -> bool {
    let of_partner = filter.partners.contains(&order.organizer) || filter.partners.contains(&order.vendor);
    let of_caller = filter.caller.as_ref().is_some_and(|(user, proved)| {
        let email = order.customer.email.as_ref();
        order.customer.user == Some(*user) && email.is_some_and(|email| proved.contains(email))
    });
    let is_wanted = filter.order_criteria.as_ref().is_none_or(|wanted| {
        wanted.events.contains(&order.event)
            && wanted.status.as_ref().is_none_or(|states| states.contains(&order.state()))
    });
    (of_partner || of_caller) && is_wanted
}

/// The names of a user and its e-mail, which stands on a line of its own.
fn searched_text(user: &User) -> String {
    let names = match (&user.first_name, &user.last_name) {
        (Some(first), Some(last)) => format!("{first} {last}"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => String::new(),
    };
    format!(
        "{names}
{}",
        user.email
    )
    .to_lowercase()
}

pub(crate) async fn customers_are_listed_as_the_model_lists_them(db: Database) {
    let ordered = |dice: &mut Dice| OrderCriteria {
        events: dice.some(Dice::event),
        status: dice.maybe(|dice| dice.some(Dice::order_state)),
    };
    let filter = |dice: &mut Dice| CustomersFilter {
        partners: dice.some(Dice::partner),
        caller: dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect())),
        ids: dice.rarely(|dice| dice.some(Dice::user)),
        name_contains: dice.rarely(Dice::part_of_name),
        order_criteria: dice.maybe(ordered),
        order: dice.customers_order(),
    };
    assert_lists_agree::<CustomersFilter>(db, filter).await;
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

pub(crate) async fn a_user_is_found_by_its_email(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.users.put(samples::user(key)))).await;
    let emails = vec![samples::user(2).email, "nobody@example.org".parse().unwrap()];
    let view = db.view(ReadSet { users_by_email: emails, ..ReadSet::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2)]);
    assert_eq!(view.user_by_email(&samples::user(2).email), Some(&samples::user(2)));
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

fn customers(cases: &mut PlanCases) {
    let own = Some((Id::root(2), confirmed_emails()));
    let seen = [
        CustomersFilter { partners: vec![Id::root(1); 2], ..CustomersFilter::default() },
        CustomersFilter { caller: own.clone(), ..CustomersFilter::default() },
        CustomersFilter { partners: vec![Id::root(1)], caller: own, ..CustomersFilter::default() },
    ];
    for seen in &seen {
        for ordered in
            [None, Some(OrderCriteria { events: vec![Id::root(4); 2], status: Some(OrderStatusKind::ALL.to_vec()) })]
        {
            for order in [CustomersOrder::Newest, CustomersOrder::Email { descending: true }] {
                let (ordered, suggest) = (ordered.clone(), Some("a".to_owned()));
                cases.add_sorted(&CustomersFilter {
                    order,
                    order_criteria: ordered,
                    name_contains: suggest,
                    ..seen.clone()
                });
            }
        }
    }
    let (user, partner) = (Id::root(2), Id::root(1));
    let scopes = [
        CustomerTotalsScope::CustomersOwn(confirmed_emails()),
        CustomerTotalsScope::OfPartners(vec![partner]),
        CustomerTotalsScope::OfPartners(vec![partner; 2]),
    ];
    for scope in scopes {
        let one = CustomerTotalsQuery { user, scope: scope.clone() }.statement();
        let several = CustomerTotalsByUserQuery { users: vec![user, Id::root(3)], scope }.statement();
        for statement in [one, several] {
            cases.add_statement(statement, &["orders_user"]);
        }
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
}
