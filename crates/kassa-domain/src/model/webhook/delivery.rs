//! Messages that are held back: one that was not taken, and those of the same resource that come behind it. What was
//! taken, or was not looked at yet, has no row.

use super::attempt::{ATTEMPTS_KEPT_MS, WebhookMessage};
use super::health::EndpointHealth;
use super::schedule::{LAST_PAUSE_MS, bounded_retry_at, retry_pause_ms, spread};
use crate::model::row::Row;
use crate::values::feed_cursor::FeedCursor;
use crate::values::resource_ids::WebhookId;
use crate::values::time::Timestamp;

/// Messages that wait for one endpoint: with so many, it is told nothing new until some are gone.
pub const DELIVERIES_WAITING_MAX: u32 = 1_000;

/// Where a message is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// To be sent.
    Waiting,
    /// Given up, unless somebody asks for it; later messages of its resource are sent.
    Parked,
}

impl DeliveryState {
    /// Its name, as clients see it and as it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Parked => "parked",
        }
    }
}

/// A message that is held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// The endpoint.
    pub endpoint: WebhookId,
    /// What is sent.
    pub message: WebhookMessage,
    /// Where it is in its life.
    pub state: DeliveryState,
    /// Tries that came to nothing.
    pub tries: u32,
    /// When it was tried first.
    pub first_tried_at: Option<Timestamp>,
    /// When it was tried last.
    pub last_tried_at: Option<Timestamp>,
    /// When it is due for the next try, or to be deleted once it is parked; `None` while it is behind another message of
    /// its resource.
    pub due_at: Option<Timestamp>,
}

impl WebhookDelivery {
    /// A message behind another one, or one that is to be sent again.
    pub(crate) fn new(endpoint: WebhookId, message: WebhookMessage, due_at: Option<Timestamp>) -> Self {
        let (state, first_tried_at, last_tried_at) = (DeliveryState::Waiting, None, None);
        Self { endpoint, message, state, tries: 0, first_tried_at, last_tried_at, due_at }
    }

    /// Whether it waits to be sent.
    pub fn is_waiting(&self) -> bool {
        self.state == DeliveryState::Waiting
    }

    /// Whether it is due, if it is the first of its resource. What was tried before the endpoint was there again, or was
    /// enabled again at `enabled_at`, need not wait any longer.
    pub fn is_due(&self, health: &EndpointHealth, enabled_at: Timestamp, now: Timestamp) -> bool {
        let renewed_at = health.recovered_at.max(Some(enabled_at));
        self.due_at.is_none_or(|due_at| due_at <= now)
            || self.last_tried_at.is_some_and(|tried_at| Some(tried_at) < renewed_at)
    }

    /// After a try at `at` that came to nothing. A probe that came before it was due counts as none. One without a try
    /// left is parked, if its endpoint has taken others meanwhile: else it is not the message that is at fault. One that
    /// was parked and is sent again, since its place in the feed is, has all tries anew.
    #[must_use]
    pub(crate) fn after_failure(
        self,
        health: &EndpointHealth,
        enabled_at: Timestamp,
        at: Timestamp,
        asked: Option<Timestamp>,
        part: u64,
    ) -> Self {
        if !self.is_waiting() {
            let anew = Self::new(self.endpoint, self.message, None);
            return anew.after_failure(health, enabled_at, at, asked, part);
        }
        if self.tries > 0 && !self.is_due(health, enabled_at, at) {
            return Self { last_tried_at: Some(at), ..self };
        }
        // What was tried before the endpoint was enabled again has all tries anew.
        let is_first = self.first_tried_at.is_none_or(|tried_at| tried_at < enabled_at);
        let (tries, first_tried_at) =
            if is_first { (1, at) } else { (self.tries + 1, self.first_tried_at.unwrap_or(at)) };
        let counted = Self { tries, first_tried_at: Some(first_tried_at), last_tried_at: Some(at), ..self };
        let pause = retry_pause_ms(tries);
        if pause.is_none() && health.last_success_at >= Some(first_tried_at) {
            return Self { state: DeliveryState::Parked, due_at: Some(at.plus_ms(ATTEMPTS_KEPT_MS)), ..counted };
        }
        let next = at.plus_ms(spread(pause.unwrap_or(LAST_PAUSE_MS), part));
        Self { due_at: Some(next).max(asked.map(|asked| bounded_retry_at(asked, at))), ..counted }
    }
}

impl Row for WebhookDelivery {
    type Key = (WebhookId, FeedCursor);

    fn key(&self) -> Self::Key {
        (self.endpoint, self.message.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::change::{ChangeType, Subject};
    use crate::model::resource_ref::ResourceRef;
    use crate::values::id::Id;
    use crate::values::time::{DAY_MS, HOUR_MS, MINUTE_MS};

    const START: Timestamp = Timestamp::from_ms(1_000_000);
    const MIDDLE: u64 = 2_000;
    /// An endpoint that takes other messages, and one that takes nothing.
    const ALIVE: EndpointHealth = EndpointHealth {
        failures: 0,
        failing_since: None,
        last_success_at: Some(Timestamp::from_ms(i64::MAX)),
        last_attempt_at: None,
        recovered_at: None,
        resume_at: None,
        slowness: 0,
        notices: 0,
        is_gone: false,
    };
    const DEAD: EndpointHealth = EndpointHealth { last_success_at: None, ..ALIVE };
    const ENABLED_AT: Timestamp = Timestamp::from_ms(0);

    fn delivery() -> WebhookDelivery {
        let message = WebhookMessage {
            position: FeedCursor { place: 1, index: 0 },
            subject: Subject::Resource(ResourceRef::Order(Id::root(1))),
            version: 1,
            kind: ChangeType::OrderPaid,
        };
        WebhookDelivery::new(Id::root(7), message, None)
    }

    /// Tries it whenever it is due, so often; returns the pauses in between.
    fn fail(delivery: &mut WebhookDelivery, health: &EndpointHealth, tries: u32) -> Vec<i64> {
        let mut pauses = Vec::new();
        for _ in 0..tries {
            let at = delivery.due_at.unwrap_or(START);
            *delivery = delivery.clone().after_failure(health, ENABLED_AT, at, None, MIDDLE);
            pauses.push(delivery.due_at.unwrap().ms() - at.ms());
        }
        pauses
    }

    #[test]
    fn a_message_is_tried_ten_times_and_then_parked() {
        let mut delivery = delivery();
        let pauses = fail(&mut delivery, &ALIVE, 10);
        let hours = [2, 5, 10, 14, 20, 24].map(|hours| hours * HOUR_MS);
        assert_eq!(pauses[..3], [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS]);
        assert_eq!(pauses[3..9], hours);
        assert_eq!((delivery.state, delivery.tries, pauses[9]), (DeliveryState::Parked, 10, 30 * DAY_MS));
    }

    #[test]
    fn a_message_is_not_at_fault_while_its_endpoint_takes_nothing() {
        let mut delivery = delivery();
        let pauses = fail(&mut delivery, &DEAD, 12);
        assert_eq!((delivery.state, delivery.tries), (DeliveryState::Waiting, 12));
        assert_eq!(pauses[8..], [DAY_MS; 4]);
        // It is parked when the endpoint has taken others since its first try.
        fail(&mut delivery, &EndpointHealth { last_success_at: Some(START), ..DEAD }, 1);
        assert_eq!(delivery.state, DeliveryState::Parked);
    }

    #[test]
    fn a_parked_message_that_is_sent_again_has_all_tries_anew() {
        let mut delivery = delivery();
        fail(&mut delivery, &ALIVE, 10);
        let again = delivery.last_tried_at.unwrap().plus_ms(DAY_MS);
        for enabled_at in [ENABLED_AT, again] {
            let tried = delivery.clone().after_failure(&ALIVE, enabled_at, again, None, MIDDLE);
            let due_at = Some(again.plus_ms(5_000));
            assert_eq!((tried.state, tried.tries, tried.due_at), (DeliveryState::Waiting, 1, due_at));
        }
    }

    #[test]
    fn a_receiver_may_ask_for_a_longer_pause_and_not_for_a_shorter_one() {
        let asked = |ms| {
            let tried = delivery().after_failure(&ALIVE, ENABLED_AT, START, Some(START.plus_ms(ms)), MIDDLE);
            tried.due_at.unwrap().ms() - START.ms()
        };
        assert_eq!([asked(60_000), asked(1_000), asked(9 * DAY_MS)], [60_000, 5_000, DAY_MS]);
    }

    #[test]
    fn a_probe_before_its_time_is_no_try() {
        let mut delivery = delivery();
        fail(&mut delivery, &DEAD, 5);
        let early = delivery.due_at.unwrap().plus_ms(-1);
        let probed = delivery.clone().after_failure(&DEAD, ENABLED_AT, early, None, MIDDLE);
        assert_eq!(probed, WebhookDelivery { last_tried_at: Some(early), ..delivery });
    }

    #[test]
    fn what_waited_is_due_when_the_endpoint_is_there_again() {
        let mut delivery = delivery();
        assert!(delivery.is_due(&ALIVE, ENABLED_AT, START), "nothing is before it any more");
        fail(&mut delivery, &DEAD, 5);
        let now = delivery.last_tried_at.unwrap().plus_ms(60_000);
        assert!(!delivery.is_due(&DEAD, ENABLED_AT, now));
        assert!(delivery.is_due(&EndpointHealth { recovered_at: Some(now), ..DEAD }, ENABLED_AT, now));
        assert!(delivery.is_due(&DEAD, now, now), "or was enabled again");
        let tried = delivery.clone().after_failure(&DEAD, now, now, None, MIDDLE);
        assert_eq!((tried.tries, tried.first_tried_at), (1, Some(now)), "with all tries anew");
        assert!(!tried.is_due(&DEAD, now, now.plus_ms(4_999)) && tried.is_due(&DEAD, now, now.plus_ms(5_000)));
    }
}
