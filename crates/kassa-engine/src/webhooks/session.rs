//! Sending to one endpoint, as long as this server has the claim.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use kassa_domain::change::{Change, ChangeType, FeedCursor, Subject};
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::webhook::{
    ClaimEnd, ClaimWebhook, DELIVERIES_WAITING_MAX, RecordWebhookAttempts, RecordedAttempts, WEBHOOK_CLAIM_MS, Webhook,
    WebhookClaimOutcome, WebhookId, WebhookMessage,
};
use kassa_domain::{Actor, ReadSet, Timestamp, View, permission};
use kassa_store::PageWindow;
use kassa_store::queries::HeldDeliveries;
use tokio::sync::watch;
use tokio::time::Instant;

use super::parts::{SenderParts, Sending};
use super::plan::DeliveryPlan;
use crate::caller::CallerRef;
use crate::failure::Failure;
use crate::feed::{FeedChange, FeedError};
use crate::partner_feed::PartnerFeed;
use crate::tenant::Tenant;

/// How long what was tried may wait to be recorded with what comes next.
const RECORD_DELAY: Duration = Duration::from_millis(250);
/// How long nothing may be recorded before the claim is extended.
const CLAIM_RENEWAL: Duration = Duration::from_millis(WEBHOOK_CLAIM_MS.unsigned_abs() / 4);
/// How often it is asked whether the partner may still act: it is told nothing more then, if it was suspended.
const ADMISSION_RENEWAL: Duration = Duration::from_millis(250);
/// How long a busy lane is asked again to record what was tried. The claim may have lapsed by then: unless somebody else
/// has it, it is extended.
const RECORD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a server sends to an endpoint while another server, or another endpoint, waits for its chance.
const OTHERS_TIME_MAX: Duration = Duration::from_secs(10);
/// Messages with rows that a session knows at most. If there are more all the same, those have their turn in the next session,
/// and nothing new has before.
pub(super) const HELD_MAX: u32 = 2 * DELIVERIES_WAITING_MAX;
/// Changes that are read at a time.
const PAGE_CHANGES: usize = 100;
/// Pages that are read before what can be sent is sent.
const PAGES_MAX: usize = 8;
/// Places of the feed that an endpoint may be behind what was read before that is worth a record.
const UNRECORDED_PLACES_MAX: i64 = 10_000;

/// How sending to an endpoint ended.
#[derive(Debug)]
pub(super) struct SessionEnd {
    /// The endpoint as it is; `None` where somebody else has claimed it, or nothing is sent to it.
    pub(super) webhook: Option<Webhook>,
    /// Until when somebody else has claimed it at least, if that is known.
    pub(super) claimed_till: Option<Timestamp>,
    /// Up to where the feed has nothing for the endpoint that is not looked after.
    pub(super) checked: FeedCursor,
    /// Until when nothing is sent, whatever comes.
    pub(super) blocked_till: Option<Timestamp>,
    /// Whether it has ended before there was nothing left.
    pub(super) has_more: bool,
}

/// What tells a session whether it may keep its place.
#[derive(Clone, Debug, Default)]
pub(super) struct SessionPlace {
    /// Whether the endpoint is this server's where several send.
    pub(super) is_own: Arc<AtomicBool>,
    /// Whether other endpoints wait for the end of some session.
    pub(super) is_full: Arc<AtomicBool>,
}

impl SessionPlace {
    /// Whether another server, or another endpoint, is to have its place as soon as it can.
    fn gives_way(&self) -> bool {
        !self.is_own.load(Ordering::Relaxed) || self.is_full.load(Ordering::Relaxed)
    }
}

impl SessionEnd {
    /// Nothing was sent, for this reason.
    fn unclaimed(claimed_till: Option<Timestamp>, checked: FeedCursor) -> Self {
        Self { webhook: None, claimed_till, checked, blocked_till: None, has_more: false }
    }
}

/// What is known of the feed for one endpoint.
struct FeedReader {
    feed: PartnerFeed,
    is_at_end: bool,
    /// Whether the endpoint has got another secret since its row was read.
    has_new_secret: bool,
}

struct Session<'a> {
    parts: &'a SenderParts,
    plan: DeliveryPlan,
    feed: FeedReader,
    running: FuturesUnordered<BoxFuture<'a, Result<Sending, Failure>>>,
    /// Set when nothing more is to be sent: messages that wait for their turn look at it.
    is_stopping: Arc<AtomicBool>,
    /// When the oldest attempt was made that is not recorded.
    unrecorded_since: Option<Instant>,
    recorded_at: Instant,
    /// When it was asked last whether the partner may act.
    admitted_at: Instant,
    idle_since: Option<Instant>,
    began_at: Instant,
    place: SessionPlace,
    /// Whether it ends so that others have their chance.
    has_yielded: bool,
    /// Whether more is held back than it knows: see [`HELD_MAX`].
    has_more_held: bool,
    /// Whether anything was tried.
    has_tried: bool,
}

/// Sends what there is for an endpoint, if nobody else does. `from` is up to where it is known that there is nothing
/// new, if nothing is held back.
pub(super) async fn run(
    parts: &SenderParts,
    id: WebhookId,
    from: FeedCursor,
    place: SessionPlace,
    mut stopped: watch::Receiver<bool>,
) -> Result<SessionEnd, Failure> {
    // Others may have sent to it since the sender has read it, or do so now.
    let found = parts.engine.view(&ReadSet { webhooks: vec![id], ..ReadSet::default() }).await?;
    let active = found.webhooks.get(id).filter(|webhook| webhook.is_active());
    let Some(webhook) = active.cloned() else { return Ok(SessionEnd::unclaimed(None, from)) };
    let now = parts.engine.now();
    if webhook.is_claimed(now) {
        return Ok(SessionEnd::unclaimed(Some(Timestamp::from_ms(webhook.claim.till_ms)), from));
    }
    if !may_act(parts, webhook.partner).await? {
        return Ok(SessionEnd::unclaimed(None, from));
    }
    let is_due = webhook.due_at.is_some_and(|due_at| due_at <= now);
    let mut feed = FeedReader::new(parts, &webhook).await?;
    if !is_due {
        // A claim is a write: it is made only if there is something to send.
        let checked = feed.find_news(&webhook, from.max(webhook.read_from)).await?;
        let is_far_behind = checked.place - webhook.read_from.place > UNRECORDED_PLACES_MAX;
        if feed.is_at_end && !is_far_behind {
            let webhook = Some(webhook);
            return Ok(SessionEnd { webhook, claimed_till: None, checked, blocked_till: None, has_more: false });
        }
    }
    let by = CallerRef::system_for(Tenant::Partner(webhook.partner));
    let claim = parts.engine.execute(by, ClaimWebhook { webhook: id }, |_, claimed| claimed.clone());
    let webhook = match claim.await? {
        WebhookClaimOutcome::Claimed(webhook) => *webhook,
        WebhookClaimOutcome::ClaimedElsewhere(till) => return Ok(SessionEnd::unclaimed(Some(till), from)),
        WebhookClaimOutcome::Inactive => return Ok(SessionEnd::unclaimed(None, from)),
    };
    let held = HeldDeliveries { webhook: id };
    let held = parts.engine.page(held, PageWindow::first(HELD_MAX + 1)).await?.rows;
    let has_more_held = held.len() > HELD_MAX as usize;
    let now = Instant::now();
    (feed.is_at_end, feed.has_new_secret) = (false, false);
    let mut session = Session {
        parts,
        plan: DeliveryPlan::new(webhook, held),
        feed,
        running: FuturesUnordered::new(),
        is_stopping: Arc::default(),
        unrecorded_since: None,
        recorded_at: now,
        admitted_at: now,
        idle_since: None,
        began_at: now,
        place,
        has_yielded: false,
        has_more_held,
        has_tried: false,
    };
    let is_released = session.send_all(&mut stopped).await?;
    let checked = session.plan.first_unread();
    let webhook = is_released.then(|| session.plan.webhook().clone());
    let blocked_till = if is_released { session.plan.blocked_till(parts.engine.now()) } else { None };
    let has_more = session.has_yielded || session.has_more_held();
    Ok(SessionEnd { webhook, claimed_till: None, checked, blocked_till, has_more })
}

/// Whether a partner may act, and so is told anything: what came meanwhile is told when it may again.
async fn may_act(parts: &SenderParts, partner: PartnerId) -> Result<bool, Failure> {
    let (actor, mut read_set) = (Actor::Partner(partner), ReadSet::default());
    permission::add_actor_reads(&actor, &mut read_set);
    Ok(permission::admit(&actor, &parts.engine.view(&read_set).await?).is_ok())
}

impl FeedReader {
    async fn new(parts: &SenderParts, webhook: &Webhook) -> Result<Self, Failure> {
        let feed = PartnerFeed::open(&parts.engine, &[webhook.partner]).await?;
        Ok(Self { feed, is_at_end: false, has_new_secret: false })
    }

    /// Reads until there is something that the endpoint wants, or to the end; returns up to where there is nothing.
    async fn find_news(&mut self, webhook: &Webhook, mut from: FeedCursor) -> Result<FeedCursor, Failure> {
        loop {
            let (changes, next) = self.read(webhook, from, 1).await?;
            if let Some(change) = changes.first() {
                self.is_at_end = false;
                return Ok(change.position);
            }
            from = next;
            if self.is_at_end {
                return Ok(from);
            }
        }
    }

    /// The next changes that an endpoint wants, and from where one reads on. There may be none though others follow.
    async fn read(
        &mut self,
        webhook: &Webhook,
        from: FeedCursor,
        limit: usize,
    ) -> Result<(Vec<WebhookMessage>, FeedCursor), Failure> {
        let has_new_secret = AtomicBool::new(false);
        let is_wanted = |change: &Change| {
            if is_later_rotation(webhook, change) {
                has_new_secret.store(true, Ordering::Relaxed);
            }
            wants(webhook, change)
        };
        let page = self.feed.read(from, limit, &is_wanted).await;
        self.has_new_secret |= has_new_secret.into_inner();
        let page = match page {
            Ok(page) => page,
            Err(FeedError::Failure(failure)) => return Err(failure),
            // What is gone was not sent for as long as changes are kept; or the database is older than it was.
            Err(FeedError::Gone(oldest) | FeedError::Ahead(oldest)) => {
                tracing::warn!(webhook = %webhook.id, %from, to = %oldest, "changes for a webhook are kept no longer");
                self.is_at_end = false;
                return Ok((Vec::new(), oldest));
            }
        };
        self.is_at_end = page.is_at_end;
        Ok((page.changes.iter().map(message_of).collect(), page.next))
    }
}

pub(super) fn wants(webhook: &Webhook, change: &Change) -> bool {
    webhook.selection.wants(change.kind, change.event)
}

/// Whether a change is a rotation of the endpoint's secret that its row does not tell of yet.
fn is_later_rotation(webhook: &Webhook, change: &Change) -> bool {
    change.kind == ChangeType::WebhookSecretRotated
        && change.subject == Subject::Resource(ResourceRef::Webhook(webhook.id))
        && change.version > webhook.revision.number()
}

pub(super) fn message_of(found: &FeedChange) -> WebhookMessage {
    let position = FeedCursor { place: found.batch.place, index: found.index };
    let Change { subject, version, kind, .. } = *found.change();
    WebhookMessage { position, subject, version, kind }
}

impl Session<'_> {
    /// Sends until nothing is left, or the server stops; `false` where somebody else has claimed the endpoint. What is under
    /// way is waited for.
    async fn send_all(&mut self, stopped: &mut watch::Receiver<bool>) -> Result<bool, Failure> {
        let mut news = self.parts.engine.watch_feed();
        let mut is_stopping = false;
        loop {
            // What came while something was recorded is news, too.
            if news.has_changed().unwrap_or_default() {
                self.feed.is_at_end = false;
            }
            news.borrow_and_update();
            self.has_yielded |= self.place.gives_way() && self.began_at.elapsed() >= OTHERS_TIME_MAX;
            is_stopping |= self.has_yielded || !self.may_act().await?;
            self.is_stopping.store(is_stopping, Ordering::Relaxed);
            if !is_stopping {
                self.read().await?;
                // The record tells of the new one.
                if !self.feed.has_new_secret {
                    self.start();
                }
            }
            if self.must_record() {
                if !self.record(ClaimEnd::Extended).await? {
                    // Somebody else sends now; what is under way will be sent again.
                    return Ok(false);
                }
                // What was waiting for it may be sent.
                continue;
            }
            if self.is_over(is_stopping) {
                let due_at = if self.has_more_held() { Some(self.parts.engine.now()) } else { self.plan.due_at() };
                return self.record(ClaimEnd::Released(due_at)).await;
            }
            let wake_at = self.wake_at(is_stopping);
            tokio::select! {
                // What is not written is not sent: the claim lapses, and whoever comes next begins with it.
                Some(ended) = self.running.next() => self.finish(ended?),
                _ = news.changed(), if !is_stopping => self.feed.is_at_end = false,
                () = tokio::time::sleep_until(wake_at) => {}
                _ = stopped.changed(), if !is_stopping => is_stopping = true,
            }
        }
    }

    /// Whether its partner may still act, as somebody has asked a moment ago.
    async fn may_act(&mut self) -> Result<bool, Failure> {
        if self.admitted_at.elapsed() >= ADMISSION_RENEWAL {
            self.admitted_at = Instant::now();
            return may_act(self.parts, self.plan.webhook().partner).await;
        }
        Ok(true)
    }

    /// Reads on, if there is room.
    async fn read(&mut self) -> Result<(), Failure> {
        for _ in 0..PAGES_MAX {
            if !self.may_read() {
                break;
            }
            let (limit, next) = (self.plan.room().min(PAGE_CHANGES), self.plan.next());
            let webhook = self.plan.webhook().clone();
            let (messages, next) = self.feed.read(&webhook, next, limit).await?;
            self.plan.add(messages, next);
        }
        Ok(())
    }

    /// Whether to look at once for what it does not know. If nothing that it knows was due, what comes later in the feed waits
    /// as well.
    fn has_more_held(&self) -> bool {
        self.has_more_held && self.has_tried
    }

    /// How long the claim is kept for what comes next.
    fn linger(&self) -> Duration {
        if self.place.gives_way() { Duration::ZERO } else { self.parts.patience.linger }
    }

    fn may_read(&self) -> bool {
        !self.feed.is_at_end && !self.has_more_held && self.plan.room() > 0
    }

    /// Begins to send what can be sent.
    fn start(&mut self) {
        while let Some(message) = self.plan.take(self.parts.engine.now()) {
            self.idle_since = None;
            let (parts, webhook, is_stopping) =
                (self.parts, self.plan.webhook().clone(), Arc::clone(&self.is_stopping));
            self.running.push(Box::pin(parts.attempt(webhook, message, is_stopping)));
        }
    }

    fn finish(&mut self, sending: Sending) {
        match sending {
            Sending::Tried(report) => {
                self.parts.count(&report);
                self.has_tried = true;
                self.unrecorded_since.get_or_insert_with(Instant::now);
                self.plan.finish(report);
            }
            Sending::Left(message) => self.plan.put_back(message),
        }
    }

    fn must_record(&self) -> bool {
        self.plan.must_record()
            || self.feed.has_new_secret
            || (self.plan.has_unrecorded() && !self.plan.is_in_flight())
            || self.unrecorded_since.is_some_and(|since| since.elapsed() >= RECORD_DELAY)
            || self.recorded_at.elapsed() >= CLAIM_RENEWAL
            || self.plan.unrecorded_places() > UNRECORDED_PLACES_MAX
    }

    /// Stores what was tried. Returns whether the claim is still this server's.
    async fn record(&mut self, claim_end: ClaimEnd) -> Result<bool, Failure> {
        let unrecorded = self.plan.take_unrecorded();
        let webhook = self.plan.webhook();
        let command = RecordWebhookAttempts {
            webhook: webhook.id,
            claim: webhook.claim.number,
            attempts_before: webhook.attempts,
            attempts: unrecorded.attempts,
            held_back: unrecorded.held_back,
            read_from: unrecorded.read_from,
            claim_end,
        };
        let touched: Vec<FeedCursor> = command.positions().collect();
        let recorded = execute_patiently(self.parts, webhook.partner, command).await?;
        self.feed.has_new_secret = false;
        (self.unrecorded_since, self.recorded_at) = (None, Instant::now());
        Ok(self.plan.apply(recorded, &touched))
    }

    /// Whether there is nothing more to do for now.
    fn is_over(&mut self, is_stopping: bool) -> bool {
        if self.plan.is_in_flight() || self.plan.has_unrecorded() {
            return false;
        }
        if is_stopping {
            return true;
        }
        let now = self.parts.engine.now();
        match self.plan.due_at() {
            // It is as good here as anywhere.
            Some(due_at) if due_at.ms() <= now.ms() + self.parts.patience.due_soon_ms => false,
            Some(_) => !self.may_read(),
            None => self.idle_since.get_or_insert_with(Instant::now).elapsed() >= self.linger(),
        }
    }

    /// When to look again if nothing happens.
    fn wake_at(&self, is_stopping: bool) -> Instant {
        let now = Instant::now();
        if !is_stopping && self.may_read() {
            return now;
        }
        let renewal = self.recorded_at + CLAIM_RENEWAL;
        let unrecorded = self.unrecorded_since.map(|since| since + RECORD_DELAY);
        let linger = self.idle_since.map(|since| since + self.linger());
        let due = self.plan.due_at().map(|due_at| due_at.ms() - self.parts.engine.now().ms());
        // What is due already waits for what is under way.
        let due = due.and_then(|ms| u64::try_from(ms).ok()).filter(|ms| *ms > 0);
        let due = due.map(|ms| now + Duration::from_millis(ms));
        [Some(renewal), unrecorded, linger, due].into_iter().flatten().min().unwrap_or(renewal)
    }
}

/// Records, and again while the lane is busy: what was sent and not recorded would be sent again.
async fn execute_patiently(
    parts: &SenderParts,
    partner: PartnerId,
    command: RecordWebhookAttempts,
) -> Result<RecordedAttempts, Failure> {
    let began = Instant::now();
    loop {
        let by = CallerRef::system_for(Tenant::Partner(partner));
        let render = |_: &View, recorded: &RecordedAttempts| recorded.clone();
        match parts.engine.execute(by, command.clone(), render).await {
            Err(Failure::Busy | Failure::Unavailable) if began.elapsed() < RECORD_TIMEOUT => {
                tokio::time::sleep(RECORD_DELAY).await;
            }
            recorded => return recorded,
        }
    }
}
