//! What the server does by itself: ends lapsed holds, works on jobs, sends mails, and keeps the numbers of
//! its lanes. All give ordinary commands; the rows decide.

use std::time::Duration;

use kassa_domain::job::{Job, JobKind, JobProgress};
use kassa_domain::mail::MailDisposition;
use kassa_domain::node;
use kassa_domain::order::{ExpireOrder, Order};
use kassa_domain::set::AdvanceSetResize;
use kassa_domain::{Actor, ReadSet, Refusal};
use kassa_store::PageWindow;
use kassa_store::queries::{ExpiredHolds, JobsFilter};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::mail::{AttemptResult, DeliveryAttempts, MailSettings};
use crate::{Engine, Failure};

/// How often due orders are looked for: a lapsed hold is for sale within a second.
const EXPIRY_EVERY_MS: u64 = 250;
/// Due orders that are taken at a time.
const DUE_MAX: u32 = 500;
/// How often jobs are looked for when no batch has signalled one.
const JOBS_EVERY: Duration = Duration::from_secs(2);
/// Jobs that are read at a time, and worked on in one round.
const JOBS_PAGE: u32 = 1_000;
const JOBS_PER_ROUND_MAX: usize = 100_000;
/// How often due mails are looked for when no batch has signalled one.
const MAILS_EVERY: Duration = Duration::from_secs(5);
/// How often lanes that do not write keep their numbers.
const LEASE_RENEWAL_EVERY: Duration = Duration::from_millis(node::NODE_LEASE_MS.unsigned_abs() / 5);
/// How often answers are looked for that were kept long enough.
const IDEMPOTENCY_PURGE_EVERY: Duration = Duration::from_mins(5);
/// How long mails that are under way may keep the server from its end.
const MAIL_DRAIN_MAX: Duration = Duration::from_secs(10);

/// The background tasks of a server; they end when this is stopped.
pub struct Housekeeping {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Housekeeping {
    /// Starts them; mails leave by `post`.
    pub fn start(engine: &Engine, post: MailSettings) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(expire_orders_loop(engine.clone(), stopped.clone()));
        tasks.spawn(run_jobs_loop(engine.clone(), stopped.clone()));
        for at in 0..engine.inner.lanes.count() {
            tasks.spawn(renew_number_loop(engine.clone(), at, stopped.clone()));
        }
        tasks.spawn(purge_idempotency_records_loop(engine.clone(), stopped.clone()));
        tasks.spawn(send_mails_loop(engine.clone(), post, stopped));
        Self { stop, tasks }
    }

    /// Ends them after the step that they are at.
    pub async fn stop(self) {
        // They may have ended already; then nobody listens.
        let _ = self.stop.send(true);
        self.tasks.join_all().await;
    }
}

/// Logs the first failure of a task and its recovery, and not every attempt between: while the database is
/// unavailable, each attempt fails.
struct FailureLog {
    task: &'static str,
    is_failing: bool,
}

impl FailureLog {
    /// The log of a task, by the name that its lines begin with.
    fn about(task: &'static str) -> Self {
        Self { task, is_failing: false }
    }

    /// The value of a success.
    fn record<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        let task = self.task;
        match &result {
            Ok(_) if self.is_failing => tracing::info!("{task} recovered"),
            Err(failure) if self.is_failing => tracing::debug!(%failure, "{task} still failing"),
            Err(failure) => tracing::warn!(%failure, "{task} failed; retrying"),
            Ok(_) => {}
        }
        self.is_failing = result.is_err();
        result.ok()
    }
}

async fn expire_orders_loop(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = FailureLog::about("expiry of holds");
    loop {
        let jitter = u64::from_str_radix(&engine.random_hex(1), 16).unwrap_or(0) % 50;
        let pause = tokio::time::sleep(Duration::from_millis(EXPIRY_EVERY_MS - jitter));
        tokio::select! {
            () = pause => {}
            _ = stopped.changed() => return,
        }
        let expired = trouble.record(engine.expire_due().await).unwrap_or(0);
        if expired > 0 {
            tracing::debug!(expired, "holds expired");
        }
    }
}

async fn run_jobs_loop(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = FailureLog::about("background jobs");
    loop {
        tokio::select! {
            result = engine.run_jobs() => {
                trouble.record(result);
            }
            _ = stopped.changed() => return,
        }
        tokio::select! {
            () = engine.inner.shared.signals.jobs.notified() => {}
            () = tokio::time::sleep(JOBS_EVERY) => {}
            _ = stopped.changed() => return,
        }
    }
}

async fn purge_idempotency_records_loop(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = FailureLog::about("purge of idempotency records");
    loop {
        tokio::select! {
            () = tokio::time::sleep(IDEMPOTENCY_PURGE_EVERY) => {}
            _ = stopped.changed() => return,
        }
        // There may be many, and their lanes may be busy.
        tokio::select! {
            result = engine.purge_idempotency_records() => {
                if let Some(forgotten @ 1..) = trouble.record(result) {
                    tracing::debug!(forgotten, "idempotency records purged");
                }
            }
            _ = stopped.changed() => return,
        }
    }
}

/// Each lane has a keeper of its own: one that is stuck, or has no room, does not let the numbers of others lapse.
async fn renew_number_loop(engine: Engine, at: usize, mut stopped: watch::Receiver<bool>) {
    let mut trouble = FailureLog::about("renewal of a lane's lease");
    loop {
        tokio::select! {
            () = tokio::time::sleep(LEASE_RENEWAL_EVERY) => {}
            _ = stopped.changed() => return,
        }
        // A lane that is busy is kept by what it writes, and need not be waited for.
        tokio::select! {
            result = engine.renew_number(at) => {
                trouble.record(result);
            }
            _ = stopped.changed() => return,
        }
    }
}

async fn send_mails_loop(engine: Engine, post: MailSettings, mut stopped: watch::Receiver<bool>) {
    let mut tries = DeliveryAttempts::new(engine.clone(), post);
    let (mut in_trouble, mut trouble) = (false, FailureLog::about("mail delivery"));
    loop {
        let looked_at = trouble.record(tries.start_due().await).unwrap_or(0);
        if looked_at > 0 && tries.is_empty() {
            // They are somebody else's by now, and there may be more.
            continue;
        }
        let news = async {
            tokio::select! {
                () = engine.inner.shared.signals.mails.notified() => {}
                () = tokio::time::sleep(MAILS_EVERY) => {}
            }
        };
        tokio::select! {
            Some(ended) = tries.next_finished() => log_mail_transition(ended, &mut in_trouble),
            () = news, if tries.has_capacity() => {}
            _ = stopped.changed() => break,
        }
    }
    // What the mailer has taken and nobody has noted would be sent twice.
    let last = async { while tries.next_finished().await.is_some() {} };
    if tokio::time::timeout(MAIL_DRAIN_MAX, last).await.is_err() {
        tracing::warn!("shutting down with mails in flight; they will be sent again after the next start");
    }
}

/// Tells when mails cease to be sent, and when they are sent again.
fn log_mail_transition(ended: Result<AttemptResult, Failure>, in_trouble: &mut bool) {
    match ended {
        Ok(AttemptResult { error: None, .. }) if *in_trouble => tracing::info!("mail delivery recovered"),
        Ok(AttemptResult { error: Some(error), settled }) if !*in_trouble => {
            let will_retry = settled == MailDisposition::Pending;
            tracing::warn!(error, will_retry, "a mail could not be sent");
        }
        Ok(_) => return,
        Err(failure) => {
            tracing::warn!(%failure, "the result of a delivery could not be stored; the mail will be sent again");
            return;
        }
    }
    *in_trouble = !*in_trouble;
}

impl Engine {
    /// Expires the holds that are due now, and returns how many.
    pub async fn expire_due(&self) -> Result<u64, Failure> {
        let mut expired = 0;
        loop {
            let due = self.page(ExpiredHolds { now: self.now() }, PageWindow::first(DUE_MAX)).await?;
            let full = due.rows.len() == DUE_MAX as usize;
            let commands = due.rows.into_iter().map(|order| {
                let Order { id, event, promocodes, .. } = order;
                let (engine, command) = (self.clone(), ExpireOrder { order: id, event, promocodes });
                async move { engine.execute(&Actor::System, command, |_, ended| *ended).await }
            });
            // All at once, so that they share batches.
            let mut running: JoinSet<Result<bool, Failure>> = commands.collect();
            while let Some(result) = running.join_next().await {
                match result.map_err(|error| Failure::internal(&error.to_string()))? {
                    Ok(ended) => expired += u64::from(ended),
                    // It has named promocodes since: the next look finds it with them.
                    Err(Failure::Refused(Refusal::Stale)) => {}
                    Err(failure) => return Err(failure),
                }
            }
            if !full {
                return Ok(expired);
            }
        }
    }

    /// Works on all jobs until none is left that this node may work on: a step of each in turn, so
    /// that a long one does not hold up the others, nor one that fails.
    pub async fn run_jobs(&self) -> Result<(), Failure> {
        let mut failed = None;
        let mut jobs = self.pending_jobs().await?;
        while !jobs.is_empty() {
            let mut unfinished = Vec::new();
            for job in jobs {
                match self.run_job_step(&job).await {
                    Ok(JobProgress::HasMore) => unfinished.push(job),
                    Ok(JobProgress::Done | JobProgress::LeasedElsewhere) => {}
                    Err(failure) => failed = Some(failure),
                }
            }
            jobs = unfinished;
        }
        failed.map_or(Ok(()), Err)
    }

    async fn pending_jobs(&self) -> Result<Vec<Job>, Failure> {
        let mut jobs = Vec::new();
        loop {
            let slice = PageWindow { limit: JOBS_PAGE, offset: jobs.len() as u64, with_total: false };
            let page = self.page(JobsFilter, slice).await?;
            let last = page.rows.len() < JOBS_PAGE as usize;
            jobs.extend(page.rows);
            if last || jobs.len() >= JOBS_PER_ROUND_MAX {
                return Ok(jobs);
            }
        }
    }

    async fn run_job_step(&self, job: &Job) -> Result<JobProgress, Failure> {
        match job.kind {
            JobKind::Resize { event, set } => {
                let view = self.view(&ReadSet { sets_of: vec![event], ..ReadSet::default() }).await?;
                let command = AdvanceSetResize::from_view(job.id, (event, set), &view);
                self.execute(&Actor::System, command, |_, progress| *progress).await
            }
            // How far it has come is in its row.
            JobKind::Refund { .. } => self.refund_next_orders(job.id).await,
        }
    }
}
