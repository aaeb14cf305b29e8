//! What the server does by itself: ends lapsed holds, works on jobs, sends mails, and keeps the numbers of
//! its lanes. All give ordinary commands; the rows decide.

use std::time::Duration;

use kassa_domain::job::{Job, Progress, Work};
use kassa_domain::node;
use kassa_domain::order::{ExpireOrder, Order};
use kassa_domain::set::ResizeStep;
use kassa_domain::{Actor, Needs, Refusal};
use kassa_store::Slice;
use kassa_store::queries::{DueOrders, JobsFilter};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::mail::{Post, Tried, Tries};
use crate::{Engine, Failure};

/// How often due orders are looked for: a lapsed hold is for sale within a second.
const EXPIRY_EVERY_MS: u64 = 250;
/// Due orders that are taken at a time.
const DUE_MAX: u32 = 500;
/// How often jobs are looked for when nothing tells of one.
const JOBS_EVERY: Duration = Duration::from_secs(2);
/// Jobs that are read at a time, and worked on in one round.
const JOBS_PAGE: u32 = 1_000;
const JOBS_MAX: usize = 100_000;
/// How often due mails are looked for when nothing tells of one.
const MAILS_EVERY: Duration = Duration::from_secs(5);
/// How often lanes that do not write keep their numbers.
const NUMBERS_EVERY: Duration = Duration::from_millis(node::NUMBER_LEASE_MS.unsigned_abs() / 5);
/// How often answers are looked for that were kept long enough.
const ANSWERS_EVERY: Duration = Duration::from_mins(5);
/// How long mails that are under way may keep the server from its end.
const LAST_MAILS_MAX: Duration = Duration::from_secs(10);

/// The tasks that keep house; they end when this is stopped.
pub struct Housekeeping {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Housekeeping {
    /// Starts them; mails leave by `post`.
    pub fn start(engine: &Engine, post: Post) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(expiry(engine.clone(), stopped.clone()));
        tasks.spawn(jobs(engine.clone(), stopped.clone()));
        for at in 0..engine.inner.lanes.count() {
            tasks.spawn(number(engine.clone(), at, stopped.clone()));
        }
        tasks.spawn(answers(engine.clone(), stopped.clone()));
        tasks.spawn(mails(engine.clone(), post, stopped));
        Self { stop, tasks }
    }

    /// Ends them after the step that they are at.
    pub async fn stop(self) {
        // They may have ended already; then nobody listens.
        let _ = self.stop.send(true);
        self.tasks.join_all().await;
    }
}

/// Tells once when something begins to fail, and once when it works again: while the database is away, each
/// attempt of the house fails.
struct Trouble {
    what: &'static str,
    is_told: bool,
}

impl Trouble {
    /// With something, as the log calls it.
    fn with(what: &'static str) -> Self {
        Self { what, is_told: false }
    }

    /// What a success gives, if it is one.
    fn note<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        let what = self.what;
        match &result {
            Ok(_) if self.is_told => tracing::info!("{what} can be looked after again"),
            Err(failure) if self.is_told => tracing::debug!(%failure, "{what} still cannot be looked after"),
            Err(failure) => tracing::warn!(%failure, "{what} could not be looked after; it will be tried again"),
            Ok(_) => {}
        }
        self.is_told = result.is_err();
        result.ok()
    }
}

async fn expiry(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = Trouble::with("due orders");
    loop {
        let jitter = u64::from_str_radix(&engine.random_hex(1), 16).unwrap_or(0) % 50;
        let pause = tokio::time::sleep(Duration::from_millis(EXPIRY_EVERY_MS - jitter));
        tokio::select! {
            () = pause => {}
            _ = stopped.changed() => return,
        }
        let expired = trouble.note(engine.expire_due().await).unwrap_or(0);
        if expired > 0 {
            tracing::debug!(expired, "holds have ended");
        }
    }
}

async fn jobs(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = Trouble::with("jobs");
    loop {
        tokio::select! {
            result = engine.run_jobs() => {
                trouble.note(result);
            }
            _ = stopped.changed() => return,
        }
        tokio::select! {
            () = engine.inner.common.news.jobs.notified() => {}
            () = tokio::time::sleep(JOBS_EVERY) => {}
            _ = stopped.changed() => return,
        }
    }
}

async fn answers(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = Trouble::with("answers that were kept long enough");
    loop {
        tokio::select! {
            () = tokio::time::sleep(ANSWERS_EVERY) => {}
            _ = stopped.changed() => return,
        }
        // There may be many, and their lanes may be busy.
        tokio::select! {
            result = engine.forget_answers() => {
                if let Some(forgotten @ 1..) = trouble.note(result) {
                    tracing::debug!(forgotten, "answers were kept long enough");
                }
            }
            _ = stopped.changed() => return,
        }
    }
}

/// Each lane has a keeper of its own: one that is stuck, or has no room, does not let the numbers of others lapse.
async fn number(engine: Engine, at: usize, mut stopped: watch::Receiver<bool>) {
    let mut trouble = Trouble::with("the number of a lane");
    loop {
        tokio::select! {
            () = tokio::time::sleep(NUMBERS_EVERY) => {}
            _ = stopped.changed() => return,
        }
        // A lane that is busy is kept by what it writes, and need not be waited for.
        tokio::select! {
            result = engine.keep_number(at) => {
                trouble.note(result);
            }
            _ = stopped.changed() => return,
        }
    }
}

async fn mails(engine: Engine, post: Post, mut stopped: watch::Receiver<bool>) {
    let mut tries = Tries::new(engine.clone(), post);
    let (mut in_trouble, mut trouble) = (false, Trouble::with("mails"));
    loop {
        let looked_at = trouble.note(tries.begin().await).unwrap_or(0);
        if looked_at > 0 && tries.is_empty() {
            // They are somebody else's by now, and there may be more.
            continue;
        }
        let news = async {
            tokio::select! {
                () = engine.inner.common.news.mails.notified() => {}
                () = tokio::time::sleep(MAILS_EVERY) => {}
            }
        };
        tokio::select! {
            Some(ended) = tries.next() => report(ended, &mut in_trouble),
            () = news, if tries.has_room() => {}
            _ = stopped.changed() => break,
        }
    }
    // What the mailer has taken and nobody has noted would be sent twice.
    let last = async { while tries.next().await.is_some() {} };
    if tokio::time::timeout(LAST_MAILS_MAX, last).await.is_err() {
        tracing::warn!("mails that are under way take too long: they are sent again after the next start");
    }
}

/// Tells when mails cease to be sent, and when they are sent again.
fn report(ended: Result<Tried, Failure>, in_trouble: &mut bool) {
    match ended {
        Ok(Tried { error: None, .. }) if *in_trouble => tracing::info!("mails are sent again"),
        Ok(Tried { error: Some(error), .. }) if !*in_trouble => {
            tracing::warn!(error, "a mail was not sent; it and others will be tried again");
        }
        Ok(_) => return,
        Err(failure) => {
            tracing::warn!(%failure, "what came of a mail could not be noted; it will be sent again");
            return;
        }
    }
    *in_trouble = !*in_trouble;
}

impl Engine {
    /// Ends the holds that are due now, and tells how many.
    pub async fn expire_due(&self) -> Result<u64, Failure> {
        let mut expired = 0;
        loop {
            let due = self.page(DueOrders { now: self.now() }, Slice::first(DUE_MAX)).await?;
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
        let mut jobs = self.jobs().await?;
        while !jobs.is_empty() {
            let mut unfinished = Vec::new();
            for job in jobs {
                match self.step(&job).await {
                    Ok(Progress::More) => unfinished.push(job),
                    Ok(Progress::Done | Progress::Elsewhere) => {}
                    Err(failure) => failed = Some(failure),
                }
            }
            jobs = unfinished;
        }
        failed.map_or(Ok(()), Err)
    }

    async fn jobs(&self) -> Result<Vec<Job>, Failure> {
        let mut jobs = Vec::new();
        loop {
            let slice = Slice { limit: JOBS_PAGE, offset: jobs.len() as u64, count: false };
            let page = self.page(JobsFilter, slice).await?;
            let last = page.rows.len() < JOBS_PAGE as usize;
            jobs.extend(page.rows);
            if last || jobs.len() >= JOBS_MAX {
                return Ok(jobs);
            }
        }
    }

    async fn step(&self, job: &Job) -> Result<Progress, Failure> {
        match job.work {
            Work::Resize { event, set } => {
                let view = self.view(&Needs { sets_of: vec![event], ..Needs::default() }).await?;
                let command = ResizeStep::seen(job.id, (event, set), &view);
                self.execute(&Actor::System, command, |_, progress| *progress).await
            }
            // How far it has come is in its row.
            Work::Refund { .. } => self.refund_canceled(job.id).await,
        }
    }
}
