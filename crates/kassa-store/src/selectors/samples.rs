//! A key of each kind.

use kassa_domain::Id;
use kassa_domain::ShardTag;
use kassa_domain::attachment::Hex128;
use kassa_domain::change::{AudienceKey, BatchId, FeedCursor, FeedName};
use kassa_domain::idempotency::IdempotencyRecordKey;
use kassa_domain::invitation::InvitationKey;
use kassa_domain::node::{InstallationSettingName, SharedCounterName};
use kassa_domain::order::NetworkMark;
use kassa_domain::promocode::PromocodeText;
use kassa_domain::sales::{DailySalesKey, SalesDate};
use kassa_domain::seating::SeatRange;
use kassa_domain::set::SeatSelector;
use kassa_domain::user::Email;

/// A kind of key.
pub(super) trait SampleKey {
    /// One of it.
    fn sample() -> Self;
}

macro_rules! samples {
    ($($key:ty = $sample:expr;)*) => {
        $(impl SampleKey for $key {
            fn sample() -> Self {
                $sample
            }
        })*
    };
}
samples! {
    u16 = 1;
    u32 = 2;
    i64 = 3;
    BatchId = Self { node: 1, epoch: 1, number: 1 };
    AudienceKey = Self::Partner(Id::sample());
    FeedName = Self::Changes;
    FeedCursor = Self::START;
    [u8; 32] = [1; 32];
    SharedCounterName = Self::OrderNumber;
    InstallationSettingName = Self::SecretFingerprint;
    IdempotencyRecordKey = Self { tag: ShardTag::of_key(1), digest: [1; 32] };
    DailySalesKey = Self { event: Id::sample(), vendor: Id::sample(), set: None, day: SalesDate::from_number(20_261_124) };
    InvitationKey = Self { partner: Some(Id::sample()), user: Id::sample() };
    Hex128 = Self([1; 16]);
    Email = "ann@example.org".parse().unwrap();
    NetworkMark = Self::new(1);
    PromocodeText = "spring".parse().unwrap();
    SeatSelector = Self {
        set: Id::sample(),
        event: Id::sample(),
        sector: "L".to_owned(),
        row: "1".parse().unwrap(),
        range: SeatRange { from: 1, to: 9 },
    };
}

impl<K> SampleKey for Id<K> {
    fn sample() -> Self {
        Self::root(1)
    }
}

impl<A: SampleKey, B: SampleKey> SampleKey for (A, B) {
    fn sample() -> Self {
        (A::sample(), B::sample())
    }
}
