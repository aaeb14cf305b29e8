//! Users, their sessions, and the customers of partners.

use crate::database::{Database, keys};
use crate::dice::{Dice, SESSIONS, USERS};
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, at, confirmed_emails};
use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::session::{Hex128, Session};
use kassa_domain::user::{Account, SecondFactor, SessionCutoff, User, UserId};
use kassa_domain::view::SESSIONS_SHOWN_MAX;
use kassa_domain::{Id, ReadSet, Timestamp, View};
use kassa_store::queries::{
    CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope, CustomersFilter, CustomersOrder,
    LapsedRegistrations, LapsedSessions, OrderCriteria, UsersFilter,
};
use std::cmp::Ordering;

/// A customer `n<key>@example.org`.
pub(crate) fn user(key: i64) -> User {
    User {
        id: Id::root(key),
        email: format!("n{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        second_factor: None,
        operator_since: None,
        confirm_by: None,
        first_name: None,
        last_name: None,
        suspension: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn session(hash: u8, user: UserId) -> Session {
    Session { hash: [hash; 32], user, password_since: at(0), created_at: Some(at(1)), expires_at: at(9_000) }
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
            waiting_password_hash: Some("$argon2id$y".to_owned()),
            confirmed_emails: vec!["ann@example.org".parse().unwrap()],
            session_cutoff: None
        },
        first_name: Some("Ann".to_owned()),
        last_name: None,
        second_factor: Some(SecondFactor::Proposed { encrypted_secret: "00'ff".to_owned() }),
        confirm_by: Some(at(-1)),
        suspension: Some(samples::suspension()),
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
            cases.add(&LapsedRegistrations { now: at(0) }, AccessPath::OrderedIndex, &["users_confirm_by"]);
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
    [samples::session(0, Id::root(1)), Session { created_at: None, ..samples::session(255, Id::root(1)) }],
    |row| Session { expires_at: at(-1), ..row },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            for hash in 1..=SESSIONS {
                view.sessions.put(Session { expires_at: dice.moment(), ..samples::session(hash, dice.user()) });
            }
        }

        fn plan_cases(cases: &mut PlanCases) {
            cases.add(
                &LapsedSessions { until: Timestamp::from_ms(0) },
                AccessPath::OrderedIndex,
                &["sessions_expires_at"],
            );
        }
    }
);

fn pending() -> User {
    User { account: Account::Pending { password_hash: "$argon2id$\"'".to_owned() }, ..samples::user(2) }
}

fn open() -> User {
    let cut = Some(SessionCutoff { at: at(7), kept_session: Some([255; 32]) });
    let account = Account::Open {
        password_hash: String::new(),
        waiting_password_hash: None,
        confirmed_emails: Vec::new(),
        session_cutoff: cut,
    };
    let second_factor = Some(SecondFactor::Active {
        encrypted_secret: "ab".to_owned(),
        last_step: i64::MAX,
        recovery_codes: vec![Hex128([255; 16]), Hex128([0; 16])],
    });
    User { account, second_factor, last_name: Some("O'Hara".to_owned()), ..samples::user(3) }
}

fn put_user(dice: &mut Dice, key: i64, view: &mut View) {
    let (first_name, last_name) = (dice.maybe(Dice::venue_name), dice.maybe(Dice::venue_name));
    let confirm_by = (dice.below(8) > 0).then(|| dice.moment());
    view.users.put(User { first_name, last_name, confirm_by, ..samples::user(key) });
}

impl ListModel for UsersFilter {
    fn includes(&self, _: &User, _: &View) -> bool {
        true
    }
}

pub(crate) async fn users_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<UsersFilter>(db, |_| UsersFilter).await;
}

impl ListModel for LapsedSessions {
    fn includes(&self, session: &Session, _: &View) -> bool {
        session.expires_at <= self.until
    }

    fn compare(&self, one: &Session, other: &Session) -> Ordering {
        (one.expires_at, one.hash).cmp(&(other.expires_at, other.hash))
    }
}

pub(crate) async fn lapsed_sessions_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<LapsedSessions>(db, |dice| LapsedSessions { until: dice.moment() }).await;
}

pub(crate) async fn all_sessions_are_found_by_their_user(db: Database) {
    let sessions = [(1, 1), (2, 1), (3, 2)].map(|(hash, user)| samples::session(hash, Id::root(user)));
    db.insert(|view| sessions.iter().for_each(|session| view.sessions.put(session.clone()))).await;
    for (user, expected) in [(1, &sessions[..2]), (2, &sessions[2..]), (3, &[])] {
        let view = db.view(ReadSet { all_sessions_of: vec![Id::root(user)], ..ReadSet::default() }).await;
        assert_eq!(keys(view.sessions.rows()), expected.iter().map(|session| session.hash).collect::<Vec<_>>());
    }
}

impl ListModel for LapsedRegistrations {
    fn includes(&self, user: &User, _: &View) -> bool {
        user.confirm_by.is_some_and(|by| by <= self.now)
    }

    fn compare(&self, one: &User, other: &User) -> Ordering {
        (one.confirm_by, one.id).cmp(&(other.confirm_by, other.id))
    }
}

pub(crate) async fn lapsed_registrations_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<LapsedRegistrations>(db, |dice| LapsedRegistrations { now: dice.moment() }).await;
}

impl ListModel for CustomersFilter {
    fn includes(&self, order: &Order, all: &View) -> bool {
        let Some(user) = order.customer.user else { return false };
        let shows = |other: &&Order| {
            other.customer.user == Some(user)
                && (self.partners.contains(&other.organizer) || self.partners.contains(&other.vendor))
        };
        let meets = |criteria: &OrderCriteria, other: &Order| {
            criteria.events.contains(&other.event)
                && criteria.status.as_ref().is_none_or(|states| states.contains(&other.state()))
        };
        let visible: Vec<&Order> = all.orders.rows().filter(shows).collect();
        let newest = visible.iter().max_by_key(|other| other.id.key());
        let email = order.customer.email.as_ref().map(ToString::to_string);
        newest.is_some_and(|newest| newest.id == order.id)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&user))
            && self.except != Some(user)
            && self.email_contains.as_ref().is_none_or(|text| email.is_some_and(|it| it.contains(&text.to_lowercase())))
            && self.order_criteria.as_ref().is_none_or(|criteria| visible.iter().any(|other| meets(criteria, other)))
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        let by_user = |order: &Order| order.customer.user;
        let by_email = |order: &Order| (order.customer.email.clone(), order.customer.user);
        match self.order {
            CustomersOrder::Newest => by_user(other).cmp(&by_user(one)),
            CustomersOrder::Email { descending: false } => by_email(one).cmp(&by_email(other)),
            CustomersOrder::Email { descending: true } => by_email(other).cmp(&by_email(one)),
        }
    }
}

pub(crate) async fn customers_are_listed_as_the_model_lists_them(db: Database) {
    let ordered = |dice: &mut Dice| OrderCriteria {
        events: dice.some(Dice::event),
        status: dice.maybe(|dice| dice.some(Dice::order_state)),
    };
    let filter = |dice: &mut Dice| CustomersFilter {
        partners: dice.some(Dice::partner),
        ids: dice.rarely(|dice| dice.some(Dice::user)),
        except: dice.maybe(Dice::user),
        email_contains: dice.rarely(|dice| format!("N{}", dice.below(9))),
        order_criteria: dice.maybe(ordered),
        order: dice.customers_order(),
    };
    assert_lists_agree::<CustomersFilter>(db, filter).await;
}

pub(crate) async fn a_user_is_found_by_its_email(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.users.put(samples::user(key)))).await;
    let emails = vec![samples::user(2).email, "nobody@example.org".parse().unwrap()];
    let view = db.view(ReadSet { users_by_email: emails, ..ReadSet::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2)]);
    assert_eq!(view.user_by_email(&samples::user(2).email), Some(&samples::user(2)));
}

pub(crate) async fn the_sessions_of_a_user_are_those_that_end_last(db: Database) {
    let (ann, bob) = (Id::root(1), Id::root(2));
    let many = u8::try_from(SESSIONS_SHOWN_MAX).unwrap() + 2;
    db.insert(|view| {
        for hash in 0..many {
            view.sessions.put(Session { expires_at: at(i64::from(hash)), ..samples::session(hash, ann) });
        }
        view.sessions.put(samples::session(255, bob));
    })
    .await;
    let view = db.view(ReadSet { sessions_of: vec![ann], ..ReadSet::default() }).await;
    let mut found: Vec<u8> = view.sessions.rows().map(|session| session.hash[0]).collect();
    found.sort_unstable();
    assert_eq!(found, (2..many).collect::<Vec<u8>>());
}

fn customers(cases: &mut PlanCases) {
    let seen = [
        CustomersFilter { partners: vec![Id::root(1); 2], ..CustomersFilter::default() },
        CustomersFilter { partners: vec![Id::root(1)], except: Some(Id::root(3)), ..CustomersFilter::default() },
        CustomersFilter {
            partners: vec![Id::root(1)],
            ids: Some(vec![Id::root(3), Id::root(4)]),
            ..CustomersFilter::default()
        },
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
                    email_contains: suggest,
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
