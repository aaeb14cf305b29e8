//! What a server does on its own: it expires holds, works on jobs, sends mails, extends the leases of its lanes, and
//! purges what has ended. All of it is ordinary commands; the rows decide.
//!
//! A periodic job is a file of this folder that implements `PeriodicJob`, and a line in [`Housekeeping::start`].

mod discard_files;
mod expire_orders;
mod failure_log;
mod lapse_registrations;
mod periodic_job;
mod purge_idempotency_records;
mod purge_invitations;
mod purge_sessions;
mod renew_leases;
mod run_jobs;
mod send_mails;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Engine;
use crate::mail::MailSettings;
use periodic_job::PeriodicJob;

/// The background tasks of a server.
pub struct Housekeeping {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Housekeeping {
    /// Starts all of them. Mails leave as `mails` says.
    pub fn start(engine: &Engine, mails: MailSettings) -> Self {
        let mut housekeeping = Self { stop: watch::Sender::new(false), tasks: JoinSet::new() };
        housekeeping.run(engine, expire_orders::ExpireOrders);
        housekeeping.run(engine, run_jobs::RunJobs);
        housekeeping.run(engine, purge_idempotency_records::PurgeEndedRecords);
        housekeeping.run(engine, purge_sessions::PurgeLapsedSessions);
        housekeeping.run(engine, discard_files::DiscardFiles);
        // While mail is off nobody is asked to confirm anything.
        if mails.mailer.is_on() {
            housekeeping.run(engine, lapse_registrations::LapseRegistrations);
        }
        housekeeping.run(engine, purge_invitations::PurgeLapsedInvitations);
        // Each lane has a job of its own: one that is stuck, or whose queue is full, does not let the leases of others
        // end.
        for lane in 0..engine.inner.lanes.count() {
            housekeeping.run(engine, renew_leases::RenewLease { lane });
        }
        let stopped = housekeeping.stop.subscribe();
        housekeeping.tasks.spawn(send_mails::send_mails(engine.clone(), mails, stopped));
        housekeeping
    }

    fn run(&mut self, engine: &Engine, job: impl PeriodicJob) {
        self.tasks.spawn(periodic_job::run_periodically(job, engine.clone(), self.stop.subscribe()));
    }

    /// Ends them. Mails that are being handed over are waited for; a round that is under way is abandoned.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.tasks.join_all().await;
    }
}
