//! Backups that are made so often, by one server of an installation at a time, and removed when they are not kept any
//! longer.
//!
//! When the next one is due follows from those that are there: a server that starts anew makes none too many, and several
//! that keep theirs in one place share the work.

use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_engine::{Engine, Failure};
use tokio::sync::watch;
use tokio::time::Instant;

use super::name::{BackupName, prefix_of};
use super::place::BackupPlace;
use super::retention::Retention;
use super::source::BackupSource;
use super::{BackupError, MadeBackup};

/// For how long one server makes backups alone; whoever renews the claim no more has died.
const LEASE: Duration = Duration::from_secs(10);
const RENEWAL_INTERVAL: Duration = Duration::from_secs(3);
/// When another makes one, or an attempt has failed, it is looked again after this time, or after the interval, if that is
/// shorter.
const RETRY_AFTER: Duration = Duration::from_mins(1);
/// How long is slept at most, so that a clock that is set does not put off a backup.
const NAP: Duration = Duration::from_secs(30);
/// A backup from farther in the future, in milliseconds, is of a wrong clock.
const CLOCK_DIFFERENCE_MS_MAX: i64 = 60_000;

/// What is made, where to, how often, and what is kept.
#[derive(Clone, Debug)]
pub(crate) struct BackupSchedule {
    pub(crate) source: BackupSource,
    pub(crate) place: BackupPlace,
    pub(crate) every: Duration,
    pub(crate) keep: Retention,
}

/// Makes backups until `stopped` is true.
pub(crate) async fn run_schedule(schedule: BackupSchedule, engine: Engine, mut stopped: watch::Receiver<bool>) {
    let maker = BackupMaker::new(&engine, &schedule);
    engine.backup_metrics().set_interval(schedule.every);
    tokio::select! {
        // When the sender is gone, the program is ending, too.
        _ = stopped.wait_for(|stopped| *stopped) => {}
        () = maker.run() => {}
    }
    maker.release().await;
}

/// Makes one now, and removes those that are not kept any longer.
pub(crate) async fn make_one(
    schedule: &BackupSchedule,
    engine: &Engine,
) -> Result<(BackupName, MadeBackup), BackupError> {
    let maker = BackupMaker::new(engine, schedule);
    if !maker.claim().await? {
        return Err(BackupError::ClaimedElsewhere);
    }
    let made = maker.make().await;
    maker.release().await;
    made
}

/// One who makes backups on an installation.
struct BackupMaker<'a> {
    engine: &'a Engine,
    schedule: &'a BackupSchedule,
    /// Its number among those of other servers.
    worker: u64,
}

impl<'a> BackupMaker<'a> {
    fn new(engine: &'a Engine, schedule: &'a BackupSchedule) -> Self {
        Self { engine, schedule, worker: engine.random_number() }
    }

    /// Goes on for ever. Only the first of several failures is in the log, and the end of them.
    async fn run(&self) {
        let place = &self.schedule.place;
        let mut is_failing = false;
        loop {
            let next = self.round().await;
            match &next {
                Ok(_) if is_failing => tracing::info!(%place, "backups can be made again"),
                Ok(_) => {}
                Err(error) if is_failing => tracing::debug!(%error, "there is still no backup"),
                Err(error) => tracing::warn!(%error, "there is no new backup; it will be tried again"),
            }
            is_failing = next.is_err();
            if is_failing {
                self.engine.backup_metrics().count_failure();
            }
            self.sleep_until(next.unwrap_or_else(|_| self.retry_at())).await;
        }
    }

    /// Makes a backup if one is due, and returns when to look again.
    async fn round(&self) -> Result<Timestamp, BackupError> {
        if let Some(due) = self.next_due().await? {
            return Ok(due);
        }
        if !self.claim().await? {
            return Ok(self.retry_at());
        }
        // Another server may have made it meanwhile.
        let next = match self.next_due().await {
            Ok(None) => self.make().await.map(|(name, _)| plus(name.at, self.schedule.every)),
            Ok(Some(due)) => Ok(due),
            Err(error) => Err(error),
        };
        self.release().await;
        next
    }

    /// When the next backup is due; `None` if it is.
    async fn next_due(&self) -> Result<Option<Timestamp>, BackupError> {
        let installation = self.installation().await?;
        let now = self.engine.now();
        let newest = self.made(&installation).await?.into_iter();
        let newest = newest.map(|name| name.at).filter(|at| *at <= now.plus_ms(CLOCK_DIFFERENCE_MS_MAX)).max();
        let Some(newest) = newest else { return Ok(None) };
        self.engine.backup_metrics().set_newest(newest);
        let due = plus(newest, self.schedule.every);
        Ok((due > now).then_some(due))
    }

    /// Makes a backup as long as nobody else does, and removes those that are not kept any longer.
    async fn make(&self) -> Result<(BackupName, MadeBackup), BackupError> {
        tokio::select! {
            made = self.make_claimed() => made,
            lost = self.renew_claim() => Err(lost),
        }
    }

    async fn make_claimed(&self) -> Result<(BackupName, MadeBackup), BackupError> {
        let BackupSchedule { source, place, .. } = self.schedule;
        let installation = self.installation().await?;
        place.remove_drafts(&prefix_of(&installation)).await?;
        let name = BackupName { installation, at: self.engine.now().whole_second() };
        let started_at = Instant::now();
        let made = place.make(source, &name.to_string()).await?;
        let took = started_at.elapsed();
        self.engine.backup_metrics().count_made(name.at, took, made.bytes);
        let MadeBackup { bytes, files } = made;
        tracing::info!(%name, %place, bytes, files, took_ms = took.as_millis(), "a backup was made, and read again");
        if let Err(error) = self.remove_superseded(&name.installation).await {
            self.engine.backup_metrics().count_failure();
            tracing::warn!(%error, "backups that are not kept any longer could not be removed");
        }
        Ok((name, made))
    }

    async fn remove_superseded(&self, installation: &str) -> Result<(), BackupError> {
        let made = self.made(installation).await?;
        let times: Vec<Timestamp> = made.iter().map(|name| name.at).collect();
        let superseded = self.schedule.keep.superseded(&times);
        for name in made.iter().filter(|name| superseded.contains(&name.at)) {
            self.schedule.place.remove(&name.to_string()).await?;
            tracing::debug!(%name, "a backup that is not kept any longer was removed");
        }
        Ok(())
    }

    /// The backups of this installation that are there.
    async fn made(&self, installation: &str) -> Result<Vec<BackupName>, BackupError> {
        let mut names = self.schedule.place.list().await?;
        names.retain(|name| name.installation == installation);
        Ok(names)
    }

    async fn installation(&self) -> Result<String, BackupError> {
        self.engine.installation_digits().await.map_err(BackupError::NotClaimed)
    }

    async fn claim(&self) -> Result<bool, BackupError> {
        let claim = || self.engine.claim_backups(self.worker, LEASE);
        let claimed = match claim().await {
            // A command beside the server writes so seldom that others may have taken its number: now it has another.
            Err(Failure::Unavailable) => claim().await,
            claimed => claimed,
        };
        claimed.map_err(BackupError::NotClaimed)
    }

    /// Keeps the claim, and returns why it is lost. While the database is away, nobody else can have it before it ends.
    async fn renew_claim(&self) -> BackupError {
        let mut renewed_at = Instant::now();
        loop {
            tokio::time::sleep(RENEWAL_INTERVAL).await;
            let asked_at = Instant::now();
            match self.claim().await {
                Ok(true) => renewed_at = asked_at,
                Ok(false) => return BackupError::ClaimedElsewhere,
                Err(error) if renewed_at.elapsed() > LEASE => return error,
                Err(_) => {}
            }
        }
    }

    /// Lets others make backups. If that cannot be said, the claim ends by itself.
    async fn release(&self) {
        let _ = self.engine.claim_backups(self.worker, Duration::ZERO).await;
    }

    fn retry_at(&self) -> Timestamp {
        plus(self.engine.now(), self.schedule.every.min(RETRY_AFTER))
    }

    async fn sleep_until(&self, at: Timestamp) {
        while let Some(left) = u64::try_from(at.ms() - self.engine.now().ms()).ok().filter(|left| *left > 0) {
            tokio::time::sleep(Duration::from_millis(left).min(NAP)).await;
        }
    }
}

fn plus(at: Timestamp, time: Duration) -> Timestamp {
    at.plus_ms(i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2))
}
