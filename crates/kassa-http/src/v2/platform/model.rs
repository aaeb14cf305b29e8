//! What operators of the platform see, as v2 shows it.

use std::collections::BTreeMap;

use kassa_domain::job::{Job, JobKind};
use kassa_domain::mail::Mail;
use kassa_domain::node::Node;
use kassa_domain::partner::Partner;
use kassa_domain::quota::{QuotaKind, Quotas};
use kassa_domain::webhook::{DisabledReason, Webhook};
use kassa_engine::Engine;
use kassa_store::queries::{JobsFilter, UnsentMailsFilter};
use kassa_store::{PageWindow, RowCount};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::pagination::{PageRequest, list_answer};
use crate::app::{App, SettingInForce, SettingSource};
use crate::error::ApiError;
use crate::input::{Input, LineText, fields};
use crate::wire::{EmptyBody, EventRef, IdRef, PartnerRef, SetRef, TimeV2, WebhookRef, show_percent};

/// How much of a kind a partner stores.
#[derive(Serialize, ToSchema)]
#[schema(as = Usage)]
pub(super) struct UsageBody {
    /// How much there is.
    used: i64,
    /// How much there may be.
    quota: i64,
}

/// A partner as operators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = PlatformPartner)]
pub(super) struct PlatformPartnerBody {
    /// The id of the partner.
    id: PartnerRef,
    /// Its name.
    name: String,
    /// Whether it is removed.
    removed: bool,
    /// Since when it is suspended, and why; `null` if it is not.
    suspension: Option<SuspensionBody>,
    /// What it stores, by kinds.
    usage: BTreeMap<&'static str, UsageBody>,
    /// When it was created.
    created_at: TimeV2,
}

/// A stop of a partner.
#[derive(Serialize, ToSchema)]
#[schema(as = Suspension)]
pub(super) struct SuspensionBody {
    /// Since when.
    since: TimeV2,
    /// The operator's note; `null` if there is none.
    reason: Option<String>,
}

impl PlatformPartnerBody {
    fn new(partner: &Partner, quotas: &Quotas) -> Self {
        let usage = |kind: QuotaKind| {
            let quota = quotas.with(&partner.quotas, kind);
            (kind.name(), UsageBody { used: partner.usage.get(kind), quota })
        };
        let suspension = partner.suspension.as_ref();
        Self {
            id: IdRef(partner.id),
            name: partner.name.clone(),
            removed: partner.removed,
            suspension: suspension
                .map(|stop| SuspensionBody { since: TimeV2(stop.since), reason: stop.reason.clone() }),
            usage: QuotaKind::ALL.into_iter().map(usage).collect(),
            created_at: TimeV2(partner.created_at),
        }
    }
}

/// A partner.
#[derive(Serialize, ToSchema)]
#[schema(as = PlatformPartnerAnswer)]
pub(super) struct PlatformPartnerResponse {
    /// The partner.
    data: PlatformPartnerBody,
    /// Always empty.
    refs: EmptyBody,
}

impl PlatformPartnerResponse {
    pub(super) fn new(partner: &Partner, quotas: &Quotas) -> Self {
        Self { data: PlatformPartnerBody::new(partner, quotas), refs: EmptyBody {} }
    }
}

list_answer! {
    /// Partners.
    pub(super) struct PlatformPartnerListResponse as PlatformPartnersAnswer {
        /// The partners of this page.
        data: Vec<PlatformPartnerBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl PlatformPartnerListResponse {
    pub(super) fn new(partners: Vec<Partner>, quotas: &Quotas, wanted: PageRequest) -> Self {
        let (total, page) = wanted.cut(partners);
        let data = page.iter().map(|partner| PlatformPartnerBody::new(partner, quotas)).collect();
        Self::page(wanted, total, data, EmptyBody {})
    }
}

fields! {
    /// Why a partner is suspended.
    pub(crate) struct SuspensionInput {
        /// A note for operators.
        pub(super) reason: Input<LineText<1000>>,
    }
}

/// A mail that was not sent.
#[derive(Serialize, ToSchema)]
#[schema(as = Mail)]
pub(super) struct MailBody {
    /// The id of the mail.
    id: String,
    /// What it is about.
    #[schema(example = "tickets")]
    kind: &'static str,
    /// Who gets it.
    to: String,
    /// On whose account it is sent; `null` if on nobody's.
    partner: Option<PartnerRef>,
    /// `waiting`, or `failed`: it was given up.
    #[schema(example = "waiting")]
    state: &'static str,
    /// How often it was tried.
    attempts: i64,
    /// When it is tried next.
    due_at: TimeV2,
    /// What the last attempt came to; `null` before the first.
    error: Option<String>,
    /// When it was written.
    created_at: TimeV2,
}

list_answer! {
    /// Mails.
    pub(super) struct MailListResponse as MailsAnswer {
        /// The mails of this page.
        data: Vec<MailBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl MailListResponse {
    pub(super) fn new(mails: &[Mail], wanted: PageRequest, total: u64) -> Self {
        let body = |mail: &Mail| MailBody {
            id: mail.id.to_string(),
            kind: mail.content.name(),
            to: mail.to.to_string(),
            partner: mail.partner.map(IdRef),
            state: mail.state.name(),
            attempts: i64::from(mail.attempts),
            due_at: TimeV2(mail.due_at),
            error: mail.error.clone(),
            created_at: TimeV2(mail.created_at),
        };
        Self::page(wanted, total, mails.iter().map(body).collect(), EmptyBody {})
    }
}

/// Work that goes on in steps.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct JobBody {
    /// The id of the job.
    id: String,
    /// `resize` makes or takes away tickets of a set; `refund` opens refund requests for a canceled event.
    #[schema(example = "resize")]
    kind: &'static str,
    /// The event.
    event: EventRef,
    /// The set that is resized; `null` of other jobs.
    set: Option<SetRef>,
    /// On whose account it runs; `null` if that is not known.
    organizer: Option<PartnerRef>,
    /// The number of the writer that works on it; `null` before one does.
    node: Option<u16>,
}

list_answer! {
    /// Jobs.
    pub(super) struct JobListResponse as JobsAnswer {
        /// The jobs of this page.
        data: Vec<JobBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl JobListResponse {
    pub(super) fn new(jobs: &[Job], wanted: PageRequest, total: u64) -> Self {
        let body = |job: &Job| {
            let (kind, event, set) = match job.kind {
                JobKind::Resize { event, set } => ("resize", event, Some(set)),
                JobKind::Refund { event, .. } => ("refund", event, None),
            };
            JobBody {
                id: job.id.to_string(),
                kind,
                event: IdRef(event),
                set: set.map(IdRef),
                organizer: job.organizer.map(IdRef),
                node: job.lease_node,
            }
        };
        Self::page(wanted, total, jobs.iter().map(body).collect(), EmptyBody {})
    }
}

/// Whether an endpoint accepts nothing, by itself or any more.
pub(super) fn is_failing(webhook: &Webhook) -> bool {
    let is_given_up = matches!(webhook.status.reason(), Some(DisabledReason::Failing | DisabledReason::Gone));
    !webhook.removed && (webhook.health.failing_since.is_some() || is_given_up)
}

/// A webhook that fails.
#[derive(Serialize, ToSchema)]
#[schema(as = FailingWebhook)]
pub(super) struct FailingWebhookBody {
    /// The id of the webhook.
    id: WebhookRef,
    /// Whose it is.
    partner: PartnerRef,
    /// Where changes are posted to.
    url: String,
    /// Failures since the last success.
    failures: u32,
    /// Since when it accepts nothing; `null` if that is not known.
    failing_since: Option<TimeV2>,
    /// Why nothing is sent to it any more: `failing`, `gone` or `asked`; `null` while something is.
    disabled_reason: Option<&'static str>,
}

list_answer! {
    /// Webhooks.
    pub(super) struct FailingWebhookListResponse as FailingWebhooksAnswer {
        /// The webhooks of this page.
        data: Vec<FailingWebhookBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl FailingWebhookListResponse {
    pub(super) fn new(webhooks: &[Webhook], wanted: PageRequest) -> Self {
        let body = |webhook: &Webhook| FailingWebhookBody {
            id: IdRef(webhook.id),
            partner: IdRef(webhook.partner),
            url: webhook.url.clone(),
            failures: webhook.health.failures,
            failing_since: webhook.health.failing_since.map(TimeV2),
            disabled_reason: webhook.status.reason().map(DisabledReason::name),
        };
        let (total, data) = wanted.cut(webhooks.iter().map(body).collect());
        Self::page(wanted, total, data, EmptyBody {})
    }
}

/// The recounts of this server.
#[derive(Serialize, ToSchema)]
#[schema(as = Verification)]
pub(super) struct VerificationBody {
    /// Whether one goes on now.
    running: bool,
    /// What the last one has found; `null` before the first has ended.
    last: Option<VerifiedBody>,
}

/// What a recount has found.
#[derive(Serialize, ToSchema)]
#[schema(as = Verified)]
pub(super) struct VerifiedBody {
    /// When it has ended.
    at: TimeV2,
    /// Rows that were read.
    rows: u64,
    /// Events that were counted again.
    events: u64,
    /// How much does not agree.
    count: u64,
    /// What does not agree, as far as it is kept.
    findings: Vec<String>,
}

impl VerificationBody {
    fn of(engine: &Engine) -> Self {
        let last = engine.last_verification().map(|verified| VerifiedBody {
            at: TimeV2(verified.at),
            rows: verified.report.rows,
            events: verified.report.events,
            count: verified.report.findings.count(),
            findings: verified.report.findings.items().iter().map(ToString::to_string).collect(),
        });
        Self { running: engine.is_verifying(), last }
    }
}

/// The recounts of this server.
#[derive(Serialize, ToSchema)]
#[schema(as = VerificationAnswer)]
pub(super) struct VerificationResponse {
    /// The recounts.
    data: VerificationBody,
    /// Always empty.
    refs: EmptyBody,
}

impl VerificationResponse {
    pub(super) fn of(engine: &Engine) -> Self {
        Self { data: VerificationBody::of(engine), refs: EmptyBody {} }
    }
}

/// A writer of the database: a lane of a server, or a command line beside it.
#[derive(Serialize, ToSchema)]
#[schema(as = Writer)]
pub(super) struct WriterBody {
    /// Its number.
    number: u16,
    /// How often the number was claimed.
    epoch: i64,
    /// How many batches with changes were committed under it.
    batches: i64,
    /// Until when nobody else claims it.
    lease_till: TimeV2,
    /// Whether it is in use now.
    active: bool,
}

/// How much waits.
#[derive(Serialize, ToSchema)]
#[schema(as = Waiting)]
pub(super) struct WaitingBody {
    /// Mails that wait, and those that were given up.
    mails: u64,
    /// Jobs.
    jobs: u64,
    /// Webhooks that fail.
    failing_webhooks: u64,
}

/// A setting that is in force.
#[derive(Serialize, ToSchema)]
#[schema(as = Setting)]
pub(super) struct SettingBody {
    /// Its name on the command line.
    #[schema(example = "commission")]
    name: String,
    /// What it is set to; `null` of secrets.
    value: Option<String>,
    /// Where that is from: `command_line`, `environment`, `file` or `default`.
    source: &'static str,
}

/// The state of the platform.
#[derive(Serialize, ToSchema)]
#[schema(as = Platform)]
pub(super) struct PlatformBody {
    /// The version of this server.
    version: &'static str,
    /// Since when this server runs.
    started_at: TimeV2,
    /// Whether all its lanes can write.
    can_write: bool,
    /// The platform's commission on new deals, in percent.
    #[schema(example = "3%")]
    commission: String,
    /// Those who write to the database, and who did.
    writers: Vec<WriterBody>,
    /// How much waits.
    waiting: WaitingBody,
    /// The recounts of this server.
    verification: VerificationBody,
    /// What this server was told.
    settings: Vec<SettingBody>,
}

/// The state of the platform.
#[derive(Serialize, ToSchema)]
#[schema(as = PlatformAnswer)]
pub(super) struct PlatformResponse {
    /// The state.
    data: PlatformBody,
    /// Always empty.
    refs: EmptyBody,
}

impl PlatformResponse {
    pub(super) async fn of(app: &App) -> Result<Self, ApiError> {
        let engine = &app.engine;
        let now = engine.now();
        let count = PageWindow { limit: 1, offset: 0, count: RowCount::All };
        let waiting = WaitingBody {
            mails: engine.page(UnsentMailsFilter, count).await?.total,
            jobs: engine.page(JobsFilter::ALL, count).await?.total,
            failing_webhooks: engine.select(is_failing).await?.len() as u64,
        };
        let writer = |node: &Node| WriterBody {
            number: node.number,
            epoch: node.epoch,
            batches: node.batches,
            lease_till: TimeV2(node.lease_till),
            active: !node.is_claimable(now),
        };
        let data = PlatformBody {
            version: env!("CARGO_PKG_VERSION"),
            started_at: TimeV2(app.started_at),
            can_write: engine.can_write(),
            commission: show_percent(engine.commission(), 2),
            writers: engine.select(|_: &Node| true).await?.iter().map(writer).collect(),
            waiting,
            verification: VerificationBody::of(engine),
            settings: app.settings_in_force().iter().map(SettingBody::new).collect(),
        };
        Ok(Self { data, refs: EmptyBody {} })
    }
}

impl SettingBody {
    fn new(setting: &SettingInForce) -> Self {
        let source = match setting.source {
            SettingSource::CommandLine => "command_line",
            SettingSource::Environment => "environment",
            SettingSource::File => "file",
            SettingSource::Default => "default",
        };
        Self { name: setting.name.clone(), value: setting.value.clone(), source }
    }
}
