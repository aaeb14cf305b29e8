//! What a server does on its own: it expires holds, works on jobs, sends mails, extends the leases of its lanes, and
//! purges what has ended. All of it is ordinary commands; the rows decide.
//!
//! A periodic job is a file of this folder that implements `PeriodicJob`, and a line in [`Housekeeping::start`].

mod discard_files;
mod expire_orders;
mod failure_log;
mod follow_feed;
mod index_orders;
mod lapse_registrations;
mod look_at_payments;
mod periodic_job;
mod purge_changes;
mod purge_idempotency_records;
mod purge_invitations;
mod purge_sessions;
mod purge_webhooks;
mod renew_leases;
mod run_jobs;
mod send_mails;
mod send_webhooks;
mod sequence_changes;
mod watch_webhooks;

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Engine;
use crate::mail::MailSettings;
use crate::webhooks::WebhookSettings;
use periodic_job::PeriodicJob;

/// How long changes are kept in the feed unless the operator says otherwise.
pub const CHANGES_KEPT: Duration = Duration::from_hours(30 * 24);

/// The background tasks of a server.
pub struct Housekeeping {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Housekeeping {
    /// Starts all of them. Mails leave as `mails` says, and webhooks as `webhooks` does, if any are sent; changes are kept
    /// in the feed for `changes_kept`.
    pub fn start(
        engine: &Engine,
        mails: MailSettings,
        webhooks: Option<WebhookSettings>,
        changes_kept: Duration,
    ) -> Self {
        let mut housekeeping = Self { stop: watch::Sender::new(false), tasks: JoinSet::new() };
        housekeeping.run(engine, expire_orders::ExpireOrders);
        housekeeping.run(engine, run_jobs::RunJobs);
        housekeeping.run(engine, purge_idempotency_records::PurgeEndedRecords);
        housekeeping.run(engine, purge_sessions::PurgeLapsedSessions);
        housekeeping.run(engine, discard_files::DiscardFiles);
        housekeeping.run(engine, look_at_payments::LookAtPayments);
        housekeeping.run(engine, index_orders::FollowOrders(engine.order_index_follower()));
        // While mail is off nobody is asked to confirm anything.
        if mails.mailer.is_on() {
            housekeeping.run(engine, lapse_registrations::LapseRegistrations);
        }
        housekeeping.run(engine, purge_invitations::PurgeLapsedInvitations);
        housekeeping.run(engine, purge_changes::PurgeChanges { kept: changes_kept });
        housekeeping.run(engine, watch_webhooks::WatchWebhooks);
        housekeeping.run(engine, purge_webhooks::PurgeWebhooks);
        // Each lane has a job of its own: one that is stuck, or whose queue is full, does not let the leases of others
        // end.
        for lane in 0..engine.inner.lanes.count() {
            housekeeping.run(engine, renew_leases::RenewLease { lane });
        }
        if engine.inner.store.has_sequencer() {
            let stopped = housekeeping.stop.subscribe();
            housekeeping.tasks.spawn(sequence_changes::sequence_changes(engine.clone(), stopped));
        }
        let stopped = housekeeping.stop.subscribe();
        housekeeping.tasks.spawn(follow_feed::follow_feed(engine.clone(), stopped));
        let stopped = housekeeping.stop.subscribe();
        housekeeping.tasks.spawn(send_mails::send_mails(engine.clone(), mails, stopped));
        if let Some(webhooks) = webhooks {
            let stopped = housekeeping.stop.subscribe();
            housekeeping.tasks.spawn(send_webhooks::send_webhooks(engine.clone(), webhooks, stopped));
        }
        housekeeping
    }

    fn run(&mut self, engine: &Engine, job: impl PeriodicJob) {
        self.tasks.spawn(periodic_job::run_periodically(job, engine.clone(), self.stop.subscribe()));
    }

    /// Ends them. Mails and webhooks that are being handed over are waited for; a round that is under way is abandoned.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.tasks.join_all().await;
    }
}
