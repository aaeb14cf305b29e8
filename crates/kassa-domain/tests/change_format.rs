//! The binary form of changes, which databases keep: numbers that were given once mean the same for ever. These lists
//! are only added to.

#![cfg(test)]

use kassa_domain::change::{AddressClass, Author, ChangeType, Fact, FactName, FactValue, IdList, Subject};
use kassa_domain::deal::DealStatus;
use kassa_domain::event::EventStatus;
use kassa_domain::id::ResourceId;
use kassa_domain::order::{OrderStatusKind, PaymentSystem};
use kassa_domain::payment::PaymentStatus;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::refund::{Culprit, RefundStatusKind};
use kassa_domain::{Id, Money, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

const CHANGE_TYPES: &str = "
    event.created event.changed event.published event.canceled event.removed set.created set.changed set.removed
    inventory.sold_out inventory.available order.reserved order.changed order.payment_started order.paid order.canceled
    order.expired order.refunded ticket.issued ticket.voided refund_request.created refund_request.changed
    refund_request.in_progress refund_request.approved refund_request.rejected deal.proposed deal.accepted deal.declined
    deal.revoked deal.terminated promocode.created promocode.changed promocode.exhausted promotion.created
    promotion.changed promotion.removed partner.created partner.changed partner.removed partner.restored
    partner.suspended api_key.created api_key.changed api_key.removed venue.created venue.changed venue.removed
    map.created map.changed attachment.created attachment.removed webhook.created webhook.changed webhook.enabled
    webhook.disabled webhook.removed webhook.secret_rotated webhook.replayed payment.started payment.changed
    payment.paid payment.failed payment.canceled payment.returning payment.returned
";

const FACT_NAMES: &str = "
    status full ticket_count tickets organizer_amount agent_amount platform_amount reserved_till customer
    payment_system payment subscription visitors promocodes promotions refund_paid refund_returned order culprit reason
    available amount pending pending_removal blocked price price_rules sector position seats name description removed
    title tags age_rating media refund_policy start finish venue map tickets_limit hold_minutes agent
    organizer uses_limit uses_reserved uses_redeemed discount sets managers profile legal contact standard_terms
    second_factor_required suspended quotas city country address point sectors length vendor_data url selection
    received used returned due_at single_seats shop buyer_fields questions name_change_until answers holders accepted_terms translations
";

/// Names by number, from 1 on.
fn assert_numbered(pinned: &str, numbered: impl Iterator<Item = (u8, &'static str)>) {
    let pinned: Vec<(u8, &str)> = (1..).zip(pinned.split_whitespace()).collect();
    assert_eq!(numbered.collect::<Vec<_>>(), pinned);
}

#[test]
fn names_keep_their_numbers() {
    assert_numbered(CHANGE_TYPES, ChangeType::ALL.iter().map(|kind| (kind.number(), kind.name())));
    assert_numbered(FACT_NAMES, FactName::ALL.iter().map(|name| (name.number(), name.name())));
    for kind in ChangeType::ALL {
        assert_eq!(postcard::to_allocvec(kind), Ok(vec![kind.number()]));
        assert_eq!(
            (ChangeType::from_name(kind.name()), ChangeType::from_number(kind.number())),
            (Some(*kind), Some(*kind))
        );
        assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{kind}\""));
    }
    assert_eq!((ChangeType::from_number(0), ChangeType::from_name("order")), (None, None));
}

/// What is packed comes back, and begins with the places of these in their lists, from 0 on.
#[track_caller]
fn assert_places<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(values: &[T]) {
    for (value, place) in values.iter().zip(0_u8..) {
        let packed = postcard::to_allocvec(value).unwrap();
        assert_eq!(packed[0], place, "{value:?}");
        assert_eq!(postcard::from_bytes::<T>(&packed).as_ref(), Ok(value));
    }
}

#[test]
fn variants_keep_their_places() {
    let ids = || IdList::new(Id::<()>::root(1).tag(), std::iter::empty::<ResourceId>());
    assert_places(&OrderStatusKind::ALL);
    assert_places(&RefundStatusKind::ALL);
    assert_places(&DealStatus::ALL);
    assert_places(&[EventStatus::StandBy, EventStatus::Public, EventStatus::Canceled]);
    assert_places(&[Culprit::Customer, Culprit::Organizer]);
    let [collected, invitation] = [PaymentSystem::CollectedByVendor, PaymentSystem::Invitation];
    assert_places(&[collected, invitation, PaymentSystem::Test, PaymentSystem::Transfer, PaymentSystem::Door]);
    assert_places(&PaymentStatus::ALL);
    assert_places(&[AddressClass::Loopback, AddressClass::Private, AddressClass::Public]);
    let key = Author::ApiKey { partner: Id::root(1), key: Some(Id::root(2)) };
    let manager = Author::Manager { user: Id::root(1), partner: Id::root(2) };
    let user = Author::User(Id::root(1));
    assert_places(&[Author::Anonymous, user, key, Author::Operator, Author::System, manager, Author::Customer]);
    assert_places(&[Fact::Value(FactValue::None), Fact::step(FactValue::None, FactValue::None), Fact::Hidden]);
    assert_places(&[
        FactValue::None,
        FactValue::Flag(true),
        FactValue::Number(1),
        FactValue::Money(Money::from_minor(1)),
        FactValue::Time(Timestamp::from_ms(1)),
        FactValue::Text("DE".into()),
        FactValue::Id(Id::root(1)),
        FactValue::Ids(ids()),
        FactValue::OrderStatus(OrderStatusKind::Paid),
        FactValue::EventStatus(EventStatus::Public),
        FactValue::DealStatus(DealStatus::Accepted),
        FactValue::RefundStatus(RefundStatusKind::Approved),
        FactValue::Culprit(Culprit::Organizer),
        FactValue::PaymentSystem(PaymentSystem::Invitation),
        FactValue::PaymentStatus(PaymentStatus::Paid),
    ]);
    let order = ResourceRef::Order(Id::root(1));
    assert_places(&[Subject::Resource(order), Subject::Inventory(Id::root(1))]);
    assert_places(&[
        ResourceRef::User(Id::root(1)),
        ResourceRef::Partner(Id::root(1)),
        ResourceRef::ApiKey(Id::root(1)),
        ResourceRef::Attachment(Id::root(1)),
        order,
        ResourceRef::Refund(Id::root(1)),
        ResourceRef::Promocode(Id::root(1)),
        ResourceRef::Set(Id::root(1)),
        ResourceRef::Venue(Id::root(1)),
        ResourceRef::HallMap(Id::root(1)),
        ResourceRef::Event(Id::root(1)),
        ResourceRef::Deal(Id::root(1)),
        ResourceRef::Promotion(Id::root(1)),
        ResourceRef::Webhook(Id::root(1)),
        ResourceRef::Payment(Id::root(1)),
    ]);
}

#[test]
fn ids_that_follow_each_other_are_packed_in_a_byte_each() {
    let first: ResourceId = "695735a53bbe430ba9805001".parse().unwrap();
    let keys = [0, 1, 2, 5, 4, -first.key()].map(|step| first.key() + step);
    let list = IdList::new(first.tag(), keys.into_iter().map(|key| ResourceId::with_tag(first.tag(), key)));
    let packed = postcard::to_allocvec(&list).unwrap();
    assert_eq!(postcard::from_bytes::<IdList>(&packed).as_ref(), Ok(&list));
    let close = IdList::new(first.tag(), list.ids().take(5));
    let alone = IdList::new(first.tag(), list.ids().take(1));
    let len = |list: &IdList| postcard::to_allocvec(list).unwrap().len();
    assert_eq!(len(&close) - len(&alone), 4);
    let json = serde_json::to_string(&alone).unwrap();
    assert_eq!(json, r#"["695735a53bbe430ba9805001"]"#);
    assert_eq!(serde_json::from_str::<IdList>(&json).unwrap(), alone);
}
