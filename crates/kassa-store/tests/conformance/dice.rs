//! Random choices that repeat themselves from run to run, and the small world that they choose
//! from: some of its members are not there.

use kassa_domain::api_key::ApiKeyId;
use kassa_domain::attachment::AttachmentId;
use kassa_domain::deal::{DealId, DealStatus, EffectiveDealStatus};
use kassa_domain::event::{EffectiveEventStatus, EventId, EventStatus};
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::hall_map::HallMapId;
use kassa_domain::mail::MailState;
use kassa_domain::order::{OrderId, OrderStatus, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::promocode::PromocodeId;
use kassa_domain::promotion::PromotionId;
use kassa_domain::refund::{RefundId, RefundStatus, RefundStatusKind};
use kassa_domain::set::SetId;
use kassa_domain::user::{Email, UserId};
use kassa_domain::venue::VenueId;
use kassa_domain::{Id, Timestamp};
use kassa_store::queries::{CustomersOrder, OrdersSort, RefundsOrder};

use crate::samples::{self, at, id_in_event};

pub(crate) const EVENTS: i64 = 12;
pub(crate) const CHANGE_BATCHES: i64 = 120;
pub(crate) const DEALS: i64 = 120;
pub(crate) const PROMOCODES: i64 = 60;
pub(crate) const PROMOTIONS: i64 = 90;
pub(crate) const ORDERS: i64 = 400;
pub(crate) const API_KEYS: i64 = 80;
pub(crate) const HALL_MAPS: i64 = 90;
pub(crate) const VENUES: i64 = 60;
pub(crate) const MAILS: i64 = 40;
pub(crate) const IDEMPOTENCY_RECORDS: i64 = 40;
pub(crate) const INVITATIONS: i64 = 40;
pub(crate) const REFUNDS: i64 = 150;
pub(crate) const PARTNERS: i64 = 6;
pub(crate) const USERS: i64 = 8;
pub(crate) const SESSIONS: u8 = 40;

pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn upto(&mut self, last: i64) -> i64 {
        1 + i64::try_from(self.below(last.unsigned_abs())).unwrap()
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(crate) fn maybe<T>(&mut self, choose: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flip().then(|| choose(self))
    }

    pub(crate) fn rarely<T>(&mut self, choose: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(6) == 0).then(|| choose(self))
    }

    /// None to four, perhaps one of them twice.
    pub(crate) fn some<T>(&mut self, mut choose: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(5)).map(|_| choose(self)).collect()
    }

    pub(crate) fn venue(&mut self) -> VenueId {
        Id::root(self.upto(VENUES))
    }

    /// One of the few venues that have maps.
    pub(crate) fn hall(&mut self) -> VenueId {
        Id::root(self.upto(5))
    }

    pub(crate) fn map(&mut self) -> HallMapId {
        Id::root(self.upto(HALL_MAPS))
    }

    pub(crate) fn city(&mut self) -> CityId {
        CityId(u32::try_from(self.upto(4)).unwrap())
    }

    pub(crate) fn country(&mut self) -> CountryId {
        ["RU", "DE", "FR"][usize::try_from(self.below(3)).unwrap()].parse().unwrap()
    }

    /// Labels that differ in little.
    pub(crate) fn tag(&mut self) -> String {
        ["rock", "Rock", "rock ", "ро%к", "", "a_b"][usize::try_from(self.below(6)).unwrap()].to_owned()
    }

    pub(crate) fn venue_name(&mut self) -> String {
        let names = ["Hall", "GRAND HALL", "Зал «Юность»", "100%", "a_b", "axb", "wow!"];
        names[usize::try_from(self.below(7)).unwrap()].to_owned()
    }

    pub(crate) fn part_of_name(&mut self) -> String {
        let parts = ["hall", "ALL", "юность", "ЗАЛ", "%", "_", "!", "xyz"];
        parts[usize::try_from(self.below(8)).unwrap()].to_owned()
    }

    pub(crate) fn customers_order(&mut self) -> CustomersOrder {
        let descending = self.flip();
        if self.flip() { CustomersOrder::Newest } else { CustomersOrder::Email { descending } }
    }

    pub(crate) fn partner(&mut self) -> PartnerId {
        Id::root(self.upto(PARTNERS))
    }

    /// Of a caller for whom it changes how rows are looked up: about as many as are looked up one by one, or more,
    /// some of them twice, and some that have nothing.
    pub(crate) fn many_partners(&mut self) -> Vec<PartnerId> {
        (0..10 + self.below(14)).map(|_| Id::root(self.upto(2 * PARTNERS + 2))).collect()
    }

    pub(crate) fn user(&mut self) -> UserId {
        Id::root(self.upto(USERS))
    }

    /// The address of a user, or of nobody.
    pub(crate) fn email(&mut self) -> Email {
        samples::user(self.upto(USERS)).email
    }

    pub(crate) fn event(&mut self) -> EventId {
        samples::event(self.upto(EVENTS + 1)).id
    }

    /// Of each event as many as there are events.
    pub(crate) fn set(&mut self) -> SetId {
        let event = self.event();
        id_in_event(event, event.key() * 10 + self.upto(3))
    }

    pub(crate) fn order(&mut self) -> OrderId {
        let key = self.upto(ORDERS + 9);
        id_in_event(Self::event_of(key), key)
    }

    pub(crate) fn deal(&mut self) -> DealId {
        let key = self.upto(DEALS + 9);
        id_in_event(Self::event_of(key), key)
    }

    pub(crate) fn deal_status(&mut self) -> DealStatus {
        DealStatus::ALL[usize::try_from(self.below(5)).unwrap()]
    }

    pub(crate) fn promocode(&mut self) -> PromocodeId {
        let key = self.upto(PROMOCODES + 9);
        id_in_event(Self::event_of(key), key)
    }

    pub(crate) fn promotion(&mut self) -> PromotionId {
        let key = self.upto(PROMOTIONS + 9);
        id_in_event(Self::event_of(key), key)
    }

    pub(crate) fn shown_deal_status(&mut self) -> EffectiveDealStatus {
        self.maybe(Self::deal_status).map_or(EffectiveDealStatus::Finished, EffectiveDealStatus::Stored)
    }

    pub(crate) fn key(&mut self) -> ApiKeyId {
        Id::root(self.upto(API_KEYS + 9))
    }

    pub(crate) fn attachment(&mut self) -> AttachmentId {
        Id::root(self.upto(API_KEYS + 9))
    }

    pub(crate) fn number(&mut self) -> i64 {
        self.upto(400)
    }

    /// Vacant, held, sold, blocked: any of them, or one alone.
    pub(crate) fn ticket_states(&mut self) -> [bool; 4] {
        let alone = usize::try_from(self.below(8)).unwrap();
        if alone < 4 { std::array::from_fn(|state| state == alone) } else { std::array::from_fn(|_| self.flip()) }
    }

    pub(crate) fn sector(&mut self) -> String {
        ["", "L"][usize::try_from(self.below(2)).unwrap()].to_owned()
    }

    pub(crate) fn row(&mut self) -> &'static str {
        ["1", "2", "10", "02", "A", "A2", "A10", "Ж"][usize::try_from(self.below(8)).unwrap()]
    }

    pub(crate) fn seat(&mut self) -> u16 {
        1 + u16::try_from(self.below(12)).unwrap()
    }

    /// The event of an order.
    pub(crate) fn event_of(order: i64) -> EventId {
        samples::event(1 + order % EVENTS).id
    }

    pub(crate) fn moment(&mut self) -> Timestamp {
        at(100 * self.upto(10))
    }

    pub(crate) fn order_state(&mut self) -> OrderStatusKind {
        OrderStatusKind::ALL[usize::try_from(self.below(6)).unwrap()]
    }

    pub(crate) fn order_status(&mut self) -> OrderStatus {
        match self.order_state() {
            OrderStatusKind::Reserved => OrderStatus::Reserved,
            OrderStatusKind::AwaitingPayment => OrderStatus::AwaitingPayment,
            OrderStatusKind::Paid => samples::paid_status(),
            OrderStatusKind::Canceled => OrderStatus::Canceled,
            OrderStatusKind::Expired => OrderStatus::Expired,
            OrderStatusKind::Refunded => samples::refunded_status(),
        }
    }

    pub(crate) fn refund(&mut self) -> RefundId {
        let key = self.upto(REFUNDS + 9);
        id_in_event(Self::event_of(key), key)
    }

    pub(crate) fn refund_state(&mut self) -> RefundStatusKind {
        RefundStatusKind::ALL[usize::try_from(self.below(4)).unwrap()]
    }

    pub(crate) fn refund_status(&mut self) -> RefundStatus {
        match self.refund_state() {
            RefundStatusKind::New => RefundStatus::New,
            RefundStatusKind::InProgress => RefundStatus::InProgress,
            RefundStatusKind::Approved => RefundStatus::Approved { at: self.moment() },
            RefundStatusKind::Rejected => RefundStatus::Rejected { at: self.moment() },
        }
    }

    pub(crate) fn refunds_order(&mut self) -> RefundsOrder {
        let descending = self.flip();
        [RefundsOrder::Newest, RefundsOrder::Oldest, RefundsOrder::Value { descending }]
            [usize::try_from(self.below(3)).unwrap()]
    }

    pub(crate) fn orders_sort(&mut self) -> OrdersSort {
        let descending = self.flip();
        [OrdersSort::Newest, OrdersSort::Oldest, OrdersSort::Value { descending }, OrdersSort::Email { descending }]
            [usize::try_from(self.below(4)).unwrap()]
    }

    pub(crate) fn mail_state(&mut self) -> MailState {
        if self.flip() { MailState::Waiting } else { MailState::Failed }
    }

    pub(crate) fn event_status(&mut self) -> EventStatus {
        [EventStatus::StandBy, EventStatus::Public, EventStatus::Public, EventStatus::Canceled]
            [usize::try_from(self.below(4)).unwrap()]
    }

    pub(crate) fn shown_status(&mut self) -> EffectiveEventStatus {
        [
            EffectiveEventStatus::StandBy,
            EffectiveEventStatus::Public,
            EffectiveEventStatus::Finished,
            EffectiveEventStatus::Canceled,
        ][usize::try_from(self.below(4)).unwrap()]
    }
}
