//! Sending to all endpoints. Every server looks for what there is to send, and claims the endpoints that it sends to:
//! so endpoints are spread over servers, and those of a server that has died are claimed by others. Each prefers its own
//! share, and leaves what is another's alone for a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_domain::change::{Audience, FeedCursor};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::webhook::{Webhook, WebhookId};
use kassa_store::PageWindow;
use kassa_store::queries::EnabledWebhooks;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::parts::SenderParts;
use super::session::{self, SessionEnd, SessionPlace};
use super::share::SenderShare;
use crate::failure::Failure;
use crate::partner_feed::changes_audience;

/// Endpoints that are read at a time.
const PAGE_WEBHOOKS: u32 = 500;
/// Endpoints that are sent to, or looked at, at the same time.
const SESSIONS_MAX: usize = 2_000;
/// How long an endpoint is left alone that could not be sent to, and at most one that somebody else has: less than others
/// leave one alone that is not theirs.
const REST: Duration = Duration::from_secs(1);
/// How long one is at least: the clocks of two servers may differ.
const REST_MIN: Duration = Duration::from_millis(100);

/// What a server knows of an endpoint.
struct Known {
    webhook: Webhook,
    /// Up to where the feed has nothing for it that is not looked after.
    checked: FeedCursor,
    /// Whether there may be something new for it.
    has_news: bool,
    /// Since when something waits to be taken, as far as this server knows; `None` while nothing does.
    behind_since: Option<Timestamp>,
    is_running: bool,
    /// Nothing is done before.
    rests_till: Option<Instant>,
    /// Until when nothing is sent, whatever comes, unless somebody changes that.
    blocked_till: Option<Timestamp>,
    /// Whether it is this server's where several send.
    is_own: Arc<AtomicBool>,
    /// Until when it is left to another server, whose it is.
    left_till: Option<Instant>,
}

/// All endpoints that a server knows of, and those that it sends to.
pub(crate) struct WebhookSender {
    parts: SenderParts,
    known: BTreeMap<WebhookId, Known>,
    /// The endpoints of each partner.
    of_partner: BTreeMap<PartnerId, BTreeSet<WebhookId>>,
    /// The events of others that each of these partners sells.
    sold_by: BTreeMap<PartnerId, BTreeSet<EventId>>,
    /// Partners whose deals have changed since they were looked up.
    resold: BTreeSet<PartnerId>,
    /// The last place of the feed whose batches were looked at.
    seen_place: i64,
    share: SenderShare,
    sessions: JoinSet<(WebhookId, Result<SessionEnd, Failure>)>,
    /// Whether an endpoint waits for the end of a session.
    is_full: Arc<AtomicBool>,
    /// The endpoint whose session was begun last: those behind it have the next places.
    last_started: Option<WebhookId>,
    stop: watch::Sender<bool>,
}

impl WebhookSender {
    pub(crate) fn new(parts: SenderParts) -> Self {
        let seen_place = *parts.engine.watch_feed().borrow();
        let (known, of_partner, sold_by) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let stop = watch::Sender::new(false);
        let (share, sessions) = (SenderShare::default(), JoinSet::new());
        Self {
            parts,
            known,
            of_partner,
            sold_by,
            resold: BTreeSet::new(),
            seen_place,
            share,
            sessions,
            is_full: Arc::default(),
            last_started: None,
            stop,
        }
    }

    /// Learns which endpoints there are, and what was said of them. Those that it did not know may have missed anything.
    pub(crate) async fn refresh(&mut self) -> Result<(), Failure> {
        self.learn_share().await?;
        let (mut filter, mut listed) = (EnabledWebhooks { after_key: 0 }, BTreeSet::new());
        loop {
            let page = self.parts.engine.page(filter, PageWindow::first(PAGE_WEBHOOKS)).await?.rows;
            let last = page.last().filter(|_| page.len() == PAGE_WEBHOOKS as usize).map(|webhook| webhook.id.key());
            for webhook in page {
                listed.insert(webhook.id);
                if !self.sold_by.contains_key(&webhook.partner) {
                    self.look_up_deals(webhook.partner).await?;
                }
                self.learn(webhook);
            }
            match last {
                Some(last) => filter = EnabledWebhooks { after_key: last },
                None => break,
            }
        }
        self.known.retain(|id, known| known.is_running || listed.contains(id));
        self.of_partner.clear();
        for (id, known) in &self.known {
            self.of_partner.entry(known.webhook.partner).or_default().insert(*id);
        }
        self.sold_by.retain(|partner, _| self.of_partner.contains_key(partner));
        let undelivered = self.known.values().map(|known| (&known.webhook.health, known.undelivered_since()));
        self.parts.metrics().show(undelivered, self.parts.engine.now());
        Ok(())
    }

    /// Learns which servers send, and so which endpoints are its own.
    async fn learn_share(&mut self) -> Result<(), Failure> {
        // Where one writer at a time commits, one server sends.
        if !self.parts.engine.inner.store.has_sequencer() {
            return Ok(());
        }
        let share = SenderShare::read(&self.parts.engine).await?;
        if share != self.share {
            self.share = share;
            for (id, known) in &mut self.known {
                known.is_own.store(self.share.has(*id), Ordering::Relaxed);
                known.left_till = None;
            }
        }
        Ok(())
    }

    fn learn(&mut self, webhook: Webhook) {
        let (share, now) = (&self.share, self.parts.engine.now());
        let known = self.known.entry(webhook.id).or_insert_with(|| Known {
            webhook: webhook.clone(),
            checked: webhook.read_from,
            has_news: true,
            behind_since: Some(now),
            is_running: false,
            rests_till: None,
            blocked_till: None,
            is_own: Arc::new(AtomicBool::new(share.has(webhook.id))),
            left_till: None,
        });
        if webhook.is_claimed(now) {
            known.left_till = None;
        }
        if known.webhook.read_from != webhook.read_from {
            // While it is sent to, what was not looked at yet is what has waited longest, but for what was refused.
            let unread = self.parts.engine.inner.shared.feed.at_place(webhook.read_from.place);
            known.behind_since = unread.map(|batch| batch.committed_at);
        }
        if known.webhook.revision != webhook.revision {
            // It may want something else, or once more.
            (known.checked, known.has_news) = (webhook.read_from, true);
        }
        // Whatever somebody has changed or tried since is told by these.
        if (known.webhook.revision, known.webhook.health) != (webhook.revision, webhook.health) {
            known.blocked_till = None;
        }
        known.webhook = webhook;
    }

    async fn look_up_deals(&mut self, partner: PartnerId) -> Result<(), Failure> {
        let audience = self.parts.engine.feed_audience(&[partner]).await?;
        self.sold_by.insert(partner, audience.sold_events);
        Ok(())
    }

    /// Whether there is anybody to be told.
    pub(crate) fn has_endpoints(&self) -> bool {
        !self.known.is_empty()
    }

    /// Finds out for which endpoints the feed may have something new.
    pub(crate) async fn look_at_feed(&mut self) -> Result<(), Failure> {
        self.look_at_batches();
        // What could not be looked up is looked up the next time.
        while let Some(partner) = self.resold.first().copied() {
            self.look_up_deals(partner).await?;
            self.resold.remove(&partner);
            // What came behind the deal may have been looked at without it.
            self.for_endpoints_of(partner, |known| known.has_news = true);
        }
        Ok(())
    }

    fn look_at_batches(&mut self) {
        let feed = &self.parts.engine.inner.shared.feed;
        let last = feed.last_place();
        if last <= self.seen_place {
            return;
        }
        if !self.has_endpoints() {
            self.seen_place = last;
            return;
        }
        let Some(batches) = feed.kept_from(self.seen_place + 1, usize::MAX) else {
            // Others have placed more than this server has learned of: all endpoints look for themselves.
            self.known.values_mut().for_each(|known| known.has_news = true);
            self.resold = self.sold_by.keys().copied().collect();
            self.seen_place = last;
            return;
        };
        let changes = batches.iter().flat_map(|batch| batch.changes.iter().map(|change| (batch.committed_at, change)));
        for (committed_at, change) in changes {
            if changes_audience(change) {
                let resold = change.audience.partners().filter(|partner| self.of_partner.contains_key(partner));
                self.resold.extend(resold);
            }
            for partner in self.readers_of(&change.audience) {
                self.for_endpoints_of(partner, |known| {
                    if session::wants(&known.webhook, change) {
                        known.has_news = true;
                        known.behind_since.get_or_insert(committed_at);
                    }
                });
            }
        }
        self.seen_place = batches.last().map_or(last, |batch| batch.place);
    }

    fn for_endpoints_of(&mut self, partner: PartnerId, mut learn: impl FnMut(&mut Known)) {
        for id in self.of_partner.get(&partner).into_iter().flatten() {
            self.known.get_mut(id).into_iter().for_each(&mut learn);
        }
    }

    /// The partners with endpoints that see a change.
    fn readers_of(&self, audience: &Audience) -> Vec<PartnerId> {
        let own = audience.partners().filter(|partner| self.of_partner.contains_key(partner));
        let sellers = audience.agents_of().into_iter().flat_map(|event| {
            self.sold_by.iter().filter(move |(_, sold)| sold.contains(&event)).map(|(partner, _)| *partner)
        });
        own.chain(sellers).collect()
    }

    /// Begins to send to endpoints for which there is something, unless somebody else does.
    pub(crate) fn start_due(&mut self) {
        let (now, instant) = (self.parts.engine.now(), Instant::now());
        let is_ready = |known: &Known| known.ready_at(now, instant).is_some_and(|ready_at| ready_at <= instant);
        let ready: Vec<WebhookId> = self.known.iter().filter(|(_, known)| is_ready(known)).map(|(id, _)| *id).collect();
        // Those behind the last that was started come first: none waits for ever.
        let (earlier, later) = ready.split_at(ready.partition_point(|id| Some(*id) <= self.last_started));
        self.is_full.store(false, Ordering::Relaxed);
        for id in later.iter().chain(earlier) {
            let Some(known) = self.known.get_mut(id) else { continue };
            if !known.is_own.load(Ordering::Relaxed) {
                let left_till = known.left_till.get_or_insert(instant + self.parts.patience.left_to_others);
                if *left_till > instant {
                    continue;
                }
            }
            if self.sessions.len() >= SESSIONS_MAX {
                self.is_full.store(true, Ordering::Relaxed);
                return;
            }
            (known.is_running, known.has_news) = (true, false);
            (known.rests_till, known.left_till, known.blocked_till) = (None, None, None);
            self.last_started = Some(*id);
            let (id, parts, checked) = (*id, self.parts.clone(), known.checked);
            let place = SessionPlace { is_own: Arc::clone(&known.is_own), is_full: Arc::clone(&self.is_full) };
            let stopped = self.stop.subscribe();
            self.sessions.spawn(async move { (id, session::run(&parts, id, checked, place, stopped).await) });
        }
    }

    /// The next end of sending to an endpoint; never, if none is sent to.
    pub(crate) async fn next_ended(&mut self) -> Result<(), Failure> {
        let Some(ended) = self.sessions.join_next().await else { return std::future::pending().await };
        let (id, ended) = ended.map_err(|error| Failure::internal(&error.to_string()))?;
        let Some(known) = self.known.get_mut(&id) else { return ended.map(drop) };
        known.is_running = false;
        match ended {
            Ok(SessionEnd { webhook, claimed_till, checked, blocked_till, has_more }) => {
                known.checked = known.checked.max(checked);
                known.has_news |= has_more;
                known.blocked_till = blocked_till;
                if let Some(webhook) = webhook {
                    if webhook.due_at.is_none() && !has_more {
                        known.behind_since = None;
                    }
                    known.webhook = webhook;
                } else {
                    if claimed_till.is_none() {
                        // It is told nothing: it was disabled, or its partner may not act.
                        known.behind_since = None;
                    }
                    known.rest(claimed_till.map_or(REST, |till| rest_until(till, self.parts.engine.now())));
                }
                Ok(())
            }
            Err(failure) => {
                known.rest(REST);
                Err(failure)
            }
        }
    }

    /// When the next endpoint is due, as far as is known.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        if self.sessions.len() >= SESSIONS_MAX {
            // The end of one is waited for.
            return None;
        }
        let (now, instant) = (self.parts.engine.now(), Instant::now());
        let due = self.known.values().filter_map(|known| {
            let ready_at = known.ready_at(now, instant)?;
            Some(known.left_till.map_or(ready_at, |till| ready_at.max(till)))
        });
        due.min()
    }

    /// Whether nothing is being sent.
    #[cfg(feature = "test-support")]
    pub(super) fn is_idle(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Sends nothing more. What is under way is waited for.
    pub(crate) async fn drain(mut self) {
        self.stop.send_replace(true);
        while self.sessions.join_next().await.is_some() {}
    }
}

impl Known {
    /// Since when the receiver has not taken what there is for it.
    fn undelivered_since(&self) -> Option<Timestamp> {
        [self.behind_since, self.webhook.health.failing_since].into_iter().flatten().min()
    }

    /// From when on there may be something to send; `None` while it is sent to, or only a change is a reason.
    fn ready_at(&self, now: Timestamp, instant: Instant) -> Option<Instant> {
        let news = self.has_news.then(|| self.blocked_till.unwrap_or(now));
        let due_in_ms = news.into_iter().chain(self.webhook.due_at).min()?.ms() - now.ms();
        let due_at = instant + Duration::from_millis(u64::try_from(due_in_ms).unwrap_or(0));
        (!self.is_running).then(|| self.rests_till.map_or(due_at, |till| due_at.max(till)))
    }

    /// Somebody else may have it, or it could not be sent to: it is looked at again in a while.
    fn rest(&mut self, pause: Duration) {
        self.has_news = true;
        self.rests_till = Some(Instant::now() + pause);
    }
}

/// How long an endpoint is left alone that somebody else has until then: whoever has died does not extend it.
fn rest_until(claimed_till: Timestamp, now: Timestamp) -> Duration {
    let left = claimed_till.ms().saturating_sub(now.ms());
    Duration::from_millis(u64::try_from(left).unwrap_or(0)).clamp(REST_MIN, REST)
}

#[cfg(test)]
mod tests {
    use kassa_domain::webhook::EndpointHealth;

    use super::super::plan::tests::webhook;
    use super::*;

    fn known(webhook: Webhook) -> Known {
        Known {
            checked: webhook.read_from,
            webhook,
            has_news: false,
            behind_since: None,
            is_running: false,
            rests_till: None,
            blocked_till: None,
            is_own: Arc::default(),
            left_till: None,
        }
    }

    #[test]
    fn what_waits_does_so_since_it_came_or_since_its_receiver_fails() {
        let at = |s: i64| Some(Timestamp::from_ms(s * 1_000));
        let undelivered = |behind_since, failing_since| {
            let health = EndpointHealth { failing_since, ..webhook().health };
            Known { behind_since, ..known(Webhook { health, ..webhook() }) }.undelivered_since()
        };
        assert_eq!([undelivered(None, None), undelivered(at(7), None), undelivered(None, at(5))], [None, at(7), at(5)]);
        assert_eq!([undelivered(at(7), at(5)), undelivered(at(3), at(5))], [at(5), at(3)]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_endpoint_to_which_nothing_may_be_sent_is_left_alone_whatever_comes() {
        let now = Timestamp::from_ms(1_000_000);
        let mut known = Known { has_news: true, ..known(Webhook { due_at: Some(now.plus_ms(9_000)), ..webhook() }) };
        let start = Instant::now();
        let ready_in_ms = |known: &Known| known.ready_at(now, start).map(|at| (at - start).as_millis());
        assert_eq!(ready_in_ms(&known), Some(0));
        known.blocked_till = Some(now.plus_ms(5_000));
        assert_eq!(ready_in_ms(&known), Some(5_000));
        known.blocked_till = Some(now.plus_ms(50_000));
        assert_eq!(ready_in_ms(&known), Some(9_000), "what is due is due");
        known.has_news = false;
        known.webhook.due_at = None;
        assert_eq!(ready_in_ms(&known), None);
    }
}
