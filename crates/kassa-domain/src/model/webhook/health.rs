//! How an endpoint does: whether it takes what is sent, and how much of it.

use serde::{Deserialize, Serialize};

use super::attempt::WebhookResult;
use super::schedule::{bounded_retry_at, spread};
use crate::values::time::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};

/// So many failures in a row, and one message at a time finds out whether the endpoint is there again.
const FAILURES_BEFORE_PROBES: u32 = 5;

/// The pause between probes.
const PROBE_PAUSE_MS: i64 = 5_000;

/// A new change is a reason for a probe, if the last one was so long ago.
const NEWS_PROBE_PAUSE_MS: i64 = 5 * MINUTE_MS;

/// How often the pause between messages is doubled at most, when a receiver has too much to do.
const SLOWNESS_MAX: u8 = 7;

/// Messages of different resources that are sent to an endpoint at the same time.
const PARALLEL_MAX: usize = 4;

/// After how long without a success somebody is told.
const NOTICES_AFTER_MS: [i64; 2] = [HOUR_MS, DAY_MS];

/// After how long without a success an endpoint is disabled.
const DISABLED_AFTER_MS: i64 = 5 * DAY_MS;

/// One failure is nothing to tell anybody about.
const FAILURES_BEFORE_NOTICE: u32 = 2;

/// How an endpoint does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointHealth {
    /// Failures since the last success.
    pub failures: u32,
    /// When the first of them was.
    pub failing_since: Option<Timestamp>,
    /// When a message was taken last.
    pub last_success_at: Option<Timestamp>,
    /// When one was sent last.
    pub last_attempt_at: Option<Timestamp>,
    /// When one was taken last after probes: what waited for its next try need not wait any longer.
    pub recovered_at: Option<Timestamp>,
    /// Nothing is sent before.
    pub resume_at: Option<Timestamp>,
    /// How much it is slowed down: each step doubles the pause between messages.
    pub slowness: u8,
    /// How many mails have told of the failures.
    pub notices: u8,
    /// It has answered that it wants no more messages.
    pub is_gone: bool,
}

/// What an endpoint's partner is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebhookNotice {
    /// It has failed for an hour.
    FailingForHour,
    /// It has failed for a day.
    FailingForDay,
    /// It was disabled after days without a success.
    DisabledFailing,
    /// It was disabled because it answered that it wants no more.
    DisabledGone,
}

impl EndpointHealth {
    /// After an attempt. `asked` is until when the receiver has asked us to wait, and `part` random: see [`spread`].
    #[must_use]
    pub(crate) fn after(self, result: &WebhookResult, at: Timestamp, asked: Option<Timestamp>, part: u64) -> Self {
        let tried = Self { last_attempt_at: Some(at), ..self };
        if result.is_success() { tried.after_success(at) } else { tried.after_failure(result, at, asked, part) }
    }

    fn after_success(self, at: Timestamp) -> Self {
        let recovered_at = if self.is_probed() { Some(at) } else { self.recovered_at };
        let slowness = self.slowness.saturating_sub(1);
        Self {
            failures: 0,
            failing_since: None,
            last_success_at: Some(at),
            last_attempt_at: self.last_attempt_at,
            recovered_at,
            resume_at: slowness_pause_ms(slowness).map(|pause| at.plus_ms(pause)),
            slowness,
            notices: 0,
            is_gone: false,
        }
    }

    fn after_failure(self, result: &WebhookResult, at: Timestamp, asked: Option<Timestamp>, part: u64) -> Self {
        let failures = self.failures.saturating_add(1);
        let slowness = if result.asks_for_less() { (self.slowness + 1).min(SLOWNESS_MAX) } else { self.slowness };
        let slow = slowness_pause_ms(slowness);
        let probe = (failures >= FAILURES_BEFORE_PROBES).then_some(PROBE_PAUSE_MS);
        let pause = slow.max(probe).map(|pause| at.plus_ms(spread(pause, part)));
        Self {
            failures,
            failing_since: self.failing_since.or(Some(at)),
            resume_at: pause.max(asked.map(|asked| bounded_retry_at(asked, at))),
            slowness,
            is_gone: self.is_gone || result.is_gone(),
            ..self
        }
    }

    /// After the failure of a message that was given up. Was it the only one since others were taken, then the message was
    /// at fault, and the endpoint does not fail.
    #[must_use]
    pub(crate) fn after_parking(self) -> Self {
        if self.failures > 1 { self } else { Self { failures: 0, failing_since: None, ..self } }
    }

    /// Whether one message at a time finds out whether it is there again.
    pub fn is_probed(&self) -> bool {
        self.failures >= FAILURES_BEFORE_PROBES
    }

    /// Whether something may be sent now.
    pub fn is_open(&self, now: Timestamp) -> bool {
        !self.is_gone && self.resume_at.is_none_or(|resume_at| resume_at <= now)
    }

    /// From when on a new change is a reason for a probe.
    pub fn news_probe_at(&self) -> Option<Timestamp> {
        self.last_attempt_at.map(|at| at.plus_ms(NEWS_PROBE_PAUSE_MS))
    }

    /// How many messages, of different resources, may be under way: more than one only while they are taken.
    pub fn parallel_max(&self) -> usize {
        let does_well = self.failures == 0 && self.slowness == 0 && self.last_success_at.is_some();
        if does_well { PARALLEL_MAX } else { 1 }
    }

    /// When somebody must be told of something, or it must be disabled.
    pub fn watch_at(&self) -> Option<Timestamp> {
        let since = self.failing_since?;
        if self.is_gone {
            return Some(since);
        }
        let notice =
            NOTICES_AFTER_MS.get(usize::from(self.notices)).filter(|_| self.failures >= FAILURES_BEFORE_NOTICE);
        Some(since.plus_ms(*notice.unwrap_or(&DISABLED_AFTER_MS)))
    }

    /// What its partner must be told now, if anything; of what it should have been told before, the last.
    pub(crate) fn due_notice(&self, now: Timestamp) -> Option<(WebhookNotice, u8)> {
        let since = self.failing_since.filter(|_| self.failures >= FAILURES_BEFORE_NOTICE)?;
        let passed = NOTICES_AFTER_MS.iter().filter(|after| since.plus_ms(**after) <= now).count();
        let passed = u8::try_from(passed).unwrap_or(u8::MAX);
        let notice = if passed > 1 { WebhookNotice::FailingForDay } else { WebhookNotice::FailingForHour };
        (passed > self.notices).then_some((notice, passed))
    }

    /// Why it must be disabled now, if it must.
    pub(crate) fn disabling(&self, now: Timestamp) -> Option<WebhookNotice> {
        let is_over = |since: Timestamp| since.plus_ms(DISABLED_AFTER_MS) <= now;
        if self.is_gone {
            Some(WebhookNotice::DisabledGone)
        } else {
            self.failing_since.is_some_and(is_over).then_some(WebhookNotice::DisabledFailing)
        }
    }
}

/// The pause between messages to a receiver that has too much to do: from a second to more than a minute.
fn slowness_pause_ms(slowness: u8) -> Option<i64> {
    slowness.checked_sub(1).map(|doublings| 1_000 << doublings.min(SLOWNESS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::webhook::Unanswered;

    const START: Timestamp = Timestamp::from_ms(1_000_000);
    const MIDDLE: u64 = 2_000;

    fn answered(status: u16) -> WebhookResult {
        WebhookResult::Answered { status, excerpt: String::new() }
    }

    /// After some answers, a second after each other.
    fn after(statuses: &[u16]) -> EndpointHealth {
        let results = statuses.iter().zip(0..);
        results.fold(EndpointHealth::default(), |health, (status, second)| {
            health.after(&answered(*status), START.plus_ms(second * 1_000), None, MIDDLE)
        })
    }

    #[test]
    fn five_failures_in_a_row_leave_one_probe_at_a_time() {
        assert_eq!((after(&[]).parallel_max(), after(&[200]).parallel_max()), (1, PARALLEL_MAX));
        let four = after(&[500, 500, 500, 500]);
        assert_eq!((four.is_probed(), four.parallel_max(), four.resume_at), (false, 1, None));
        let five = after(&[500, 404, 301, 503, 500]);
        assert_eq!((five.is_probed(), five.failing_since), (true, Some(START)));
        assert!(!five.is_open(START.plus_ms(8_999)) && five.is_open(START.plus_ms(9_000)));
        assert!(!after(&[500, 500, 200, 500, 500, 500]).is_probed(), "in a row");
        let again = five.after(&answered(204), START.plus_ms(60_000), None, MIDDLE);
        let expected = EndpointHealth {
            last_success_at: Some(START.plus_ms(60_000)),
            last_attempt_at: Some(START.plus_ms(60_000)),
            recovered_at: Some(START.plus_ms(60_000)),
            ..EndpointHealth::default()
        };
        assert_eq!(again, expected);
    }

    #[test]
    fn whoever_has_too_much_to_do_gets_less_and_then_more_again() {
        let pauses = |statuses: &[u16]| {
            let health = after(statuses);
            let last = START.plus_ms(i64::try_from(statuses.len() - 1).unwrap() * 1_000);
            health.resume_at.map(|at| at.ms() - last.ms())
        };
        assert_eq!(pauses(&[429]), Some(1_000));
        assert_eq!(pauses(&[429, 502, 504]), Some(4_000));
        assert_eq!(pauses(&[429, 502, 504, 200]), Some(2_000));
        assert_eq!(pauses(&[429, 200]), None);
        assert_eq!(pauses(&[503]), None);
        assert_eq!(pauses(&[429; 20]), Some(64_000));
        assert_eq!(after(&[429, 502, 200]).parallel_max(), 1);
    }

    #[test]
    fn a_receiver_is_waited_for_as_long_as_it_asks_up_to_a_day() {
        let asked =
            |ms| EndpointHealth::default().after(&answered(503), START, Some(START.plus_ms(ms)), MIDDLE).resume_at;
        assert_eq!(asked(90_000), Some(START.plus_ms(90_000)));
        assert_eq!(asked(10 * DAY_MS), Some(START.plus_ms(DAY_MS)));
        let slow = EndpointHealth::default().after(&answered(429), START, Some(START.plus_ms(10)), MIDDLE);
        assert_eq!(slow.resume_at, Some(START.plus_ms(1_000)), "the longer of the two");
    }

    #[test]
    fn who_fails_is_told_after_an_hour_and_a_day_and_disabled_after_five() {
        let failing = after(&[500, 500]);
        let told = |notices, hours| {
            EndpointHealth { notices, ..failing }.due_notice(START.plus_ms(hours * HOUR_MS)).map(|(notice, _)| notice)
        };
        assert_eq!([told(0, 0), told(0, 1), told(1, 1)], [None, Some(WebhookNotice::FailingForHour), None]);
        assert_eq!([told(1, 23), told(1, 24), told(2, 100)], [None, Some(WebhookNotice::FailingForDay), None]);
        assert_eq!(told(0, 30), Some(WebhookNotice::FailingForDay), "the last of those that were missed");
        let watched = |notices| EndpointHealth { notices, ..failing }.watch_at().unwrap().ms() - START.ms();
        assert_eq!([watched(0), watched(1), watched(2)], [HOUR_MS, DAY_MS, 5 * DAY_MS]);
        assert_eq!(failing.disabling(START.plus_ms(5 * DAY_MS - 1)), None);
        assert_eq!(failing.disabling(START.plus_ms(5 * DAY_MS)), Some(WebhookNotice::DisabledFailing));
    }

    #[test]
    fn one_failure_is_told_to_nobody() {
        let failing = after(&[200, 500]);
        assert_eq!((failing.due_notice(START.plus_ms(2 * DAY_MS)), after(&[200]).watch_at()), (None, None));
        assert_eq!(failing.watch_at(), Some(START.plus_ms(1_000 + 5 * DAY_MS)));
    }

    #[test]
    fn a_message_that_was_given_up_alone_is_no_failure_of_its_endpoint() {
        assert_eq!(after(&[200, 500]).after_parking().watch_at(), None);
        let failing = after(&[200, 500, 500]);
        assert_eq!(failing.after_parking(), failing);
    }

    #[test]
    fn who_is_gone_is_disabled_at_once() {
        let gone = after(&[410]);
        assert!(!gone.is_open(START.plus_ms(DAY_MS)));
        assert_eq!((gone.watch_at(), gone.disabling(START)), (Some(START), Some(WebhookNotice::DisabledGone)));
    }

    #[test]
    fn no_answer_is_a_failure() {
        let health = EndpointHealth::default();
        let failed = health.after(&WebhookResult::Unanswered(Unanswered::TimedOut), START, None, MIDDLE);
        assert_eq!((failed.failures, failed.failing_since), (1, Some(START)));
    }
}
