//! Who may do what to orders.

use kassa_domain::actor::UserActor;
use kassa_domain::deal::DealId;
use kassa_domain::event::EventStatus;
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderTransition, PaymentSystem, UpdateOrder};
use kassa_domain::partner::{Membership, PartnerId};
use kassa_domain::permission::{read_order_history, read_partner_history, sees_order};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::suspension::Inactivity;
use kassa_domain::user::{ConfirmEmail, RegisterUser, UpdateUser, UserId};
use kassa_domain::{Actor, Patch, Refusal};

use crate::fixture::{Fixture, customer, pays_by, steps};

fn user(id: i64, partners: &[PartnerId]) -> UserActor {
    UserActor {
        user: UserId::root(id),
        confirmed_emails: vec!["ann@example.org".parse().unwrap()],
        managed_partners: partners.iter().copied().map(Membership::owner).collect(),
        inactive_partners: Vec::new(),
        acting_for: None,
        locked_partners: Vec::new(),
        has_second_factor: false,
        is_operator: false,
    }
}

/// An order that an agent sold to Ann: with the fixture the order, the agent, another partner, Ann.
fn sold_by_an_agent() -> (Fixture, OrderId, PartnerId, PartnerId, UserId) {
    let mut fixture = Fixture::new();
    let (set, agent, other) = (fixture.set(1, 1000), fixture.partner(), fixture.partner());
    let order = fixture.order(set, 1);
    let ann = customer("ann@example.org");
    fixture.edit(order, ann).unwrap();
    let ann = fixture.found(order).customer.user.unwrap();
    fixture.hand_over(order, agent);
    (fixture, order, agent, other, ann)
}

#[test]
fn the_vendor_changes_an_order_and_the_organizer_only_cancels_it() {
    let (fixture, _, agent, other, ann) = sold_by_an_agent();
    let both = user(7, &[agent, other]);
    let buyer = UserActor { user: ann, ..user(7, &[]) };
    let (hidden, forbidden) = (Err(Refusal::NotFound("order")), Err(Refusal::Forbidden(ForbiddenReason::VendorOnly)));
    let needed = Err(Refusal::CredentialRequired);
    // Each caller: what comes of a change, and what of a cancellation.
    let cases = [
        (Actor::Partner(agent), Ok(()), Ok(())),
        (Actor::User(both.clone()), Ok(()), Ok(())),
        (fixture.organizer(), forbidden.clone(), Ok(())),
        (Actor::User(buyer.clone()), forbidden.clone(), forbidden),
        (Actor::User(UserActor { confirmed_emails: Vec::new(), ..buyer }), hidden.clone(), hidden.clone()),
        (Actor::User(UserActor { acting_for: Some(other), ..both }), hidden.clone(), hidden.clone()),
        (Actor::Partner(other), hidden.clone(), hidden.clone()),
        (Actor::User(user(8, &[])), hidden.clone(), hidden),
        (Actor::Anonymous, needed.clone(), needed),
    ];
    let change = pays_by(PaymentSystem::CollectedByVendor);
    let mixed = OrderEdit { transition: Some(OrderTransition::Canceled), ..change.clone() };
    for (actor, changes, cancels) in cases {
        let edits =
            [(change.clone(), &changes), (mixed.clone(), &changes), (steps(OrderTransition::Canceled), &cancels)];
        for (edit, expected) in edits {
            let (mut fixture, order, ..) = sold_by_an_agent();
            assert_eq!(fixture.edit_as(&actor, order, edit).map(drop), *expected, "{actor:?}");
        }
    }
}

#[test]
fn orders_are_made_by_a_partner_that_may_sell_the_event() {
    let mut fixture = Fixture::new();
    let (org, agent) = (fixture.org, fixture.partner());
    let make = |fixture: &mut Fixture, actor: &Actor, vendor, deal: Option<DealId>| {
        let command = CreateOrder { event: fixture.event, vendor, deal, edit: OrderEdit::default() };
        fixture.give(actor, &command).map(drop)
    };
    let (seller, stranger) = (Actor::Partner(org), Actor::Partner(agent));
    let unknown = Err(Refusal::EventUnknown(fixture.event.to_string()));
    assert_eq!(make(&mut fixture, &Actor::Anonymous, org, None), Err(Refusal::CredentialRequired));
    assert_eq!(make(&mut fixture, &stranger, org, None), Err(Refusal::Forbidden(ForbiddenReason::OwnPartnerOnly)));
    assert_eq!(make(&mut fixture, &stranger, agent, None), Err(Refusal::DealUnknown));
    assert_eq!(make(&mut fixture, &seller, org, Some(DealId::root(5))), Err(Refusal::DealUnknown));
    assert_eq!(make(&mut fixture, &seller, org, None), Ok(()));
    fixture.switch(EventStatus::StandBy);
    assert_eq!(make(&mut fixture, &stranger, agent, None), unknown, "a hidden event is not betrayed");
    assert_eq!(make(&mut fixture, &seller, org, Some(DealId::root(5))), Err(Refusal::DealUnknown));
    assert_eq!(make(&mut fixture, &seller, org, None), Err(Refusal::EventNotOnSale));
}

#[test]
fn an_order_that_is_not_there_is_not_found() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let command = UpdateOrder {
        order: OrderId::with_tag(order.tag(), order.key() + 1),
        event: fixture.event,
        deal: None,
        expired_lines: None,
        promocodes: Vec::new(),
        has_payments: false,
        edit: OrderEdit::default(),
    };
    let refusal = fixture.give(&fixture.organizer(), &command).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("order"));
}

/// Somebody who registers another's e-mail, and then moves the account to an own one.
#[test]
fn a_stranger_who_registered_the_customers_email_first_never_reads_the_orders() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let register = RegisterUser {
        email: "ann@example.org".parse().unwrap(),
        password_hash: "hash".into(),
        first_name: None,
        last_name: None,
        earlier: None,
    };
    let thief = fixture.give(&Actor::Anonymous, &register).unwrap().id;
    let order = fixture.order(set, 1);
    let customer = customer("ann@example.org");
    fixture.edit(order, customer).unwrap();

    let mut actor = UserActor {
        user: thief,
        confirmed_emails: Vec::new(),
        managed_partners: Vec::new(),
        acting_for: None,
        locked_partners: Vec::new(),
        has_second_factor: false,
        is_operator: false,
        inactive_partners: Vec::new(),
    };
    let own: kassa_domain::user::Email = "thief@example.org".parse().unwrap();
    let email = Some(own.clone());
    let verified = Some("hash".into());
    let update = UpdateUser {
        user: thief,
        first_name: Patch::Keep,
        last_name: Patch::Keep,
        email,
        new_password_hash: None,
        verified_password_hash: verified,
        session: None,
    };
    fixture.give(&Actor::User(actor.clone()), &update).unwrap();
    let hers = ConfirmEmail {
        user: thief,
        email: "ann@example.org".parse().unwrap(),
        password_hash: None,
        new_password_hash: None,
    };
    assert_eq!(fixture.give(&Actor::System, &hers).unwrap_err(), Refusal::NotFound("user"), "an old token is void");
    let thief = fixture
        .give(&Actor::System, &ConfirmEmail { user: thief, email: own, password_hash: None, new_password_hash: None })
        .unwrap();
    actor.confirmed_emails = thief.confirmed_emails().to_vec();
    assert!(!sees_order(&Actor::User(actor), fixture.found(order)));
}

#[test]
fn a_history_is_read_by_those_whose_own_the_row_is() {
    let (fixture, order, agent, other, ann) = sold_by_an_agent();
    let order = fixture.found(order);
    let forbidden = || Err(Refusal::Forbidden(ForbiddenReason::OwnHistoryOnly));
    let bought = UserActor { user: ann, ..user(9, &[]) };
    let locked = UserActor { locked_partners: vec![agent], ..user(9, &[]) };
    for (actor, answer) in [
        (Actor::Partner(agent), Ok(())),
        (Actor::Partner(fixture.org), Ok(())),
        (Actor::User(user(9, &[other, agent])), Ok(())),
        (
            Actor::User(UserActor { acting_for: Some(other), ..user(9, &[other, agent]) }),
            Err(Refusal::NotFound("order")),
        ),
        (Actor::User(locked.clone()), Err(Refusal::PartnerRequiresSecondFactor)),
        (Actor::User(bought), forbidden()),
        (Actor::Partner(other), Err(Refusal::NotFound("order"))),
        (Actor::Anonymous, Err(Refusal::CredentialRequired)),
    ] {
        assert_eq!(read_order_history(&actor, order), answer, "{actor:?}");
    }
    let mut partner = fixture.view.partners.get(agent).unwrap().clone();
    let inactive =
        UserActor { inactive_partners: vec![(Membership::owner(agent), Inactivity::Removed)], ..user(9, &[]) };
    for (actor, [shown, removed]) in [
        (Actor::Partner(agent), [Ok(()), Ok(())]),
        (Actor::User(inactive), [Ok(()), Ok(())]),
        (Actor::User(locked), [const { Err(Refusal::PartnerRequiresSecondFactor) }; 2]),
        (Actor::Partner(other), [forbidden(), Err(Refusal::NotFound("partner"))]),
        (Actor::Anonymous, [const { Err(Refusal::CredentialRequired) }; 2]),
    ] {
        for (is_removed, answer) in [(false, shown), (true, removed)] {
            partner.removed = is_removed;
            assert_eq!(read_partner_history(&actor, &partner), answer, "{actor:?}");
        }
    }
}
