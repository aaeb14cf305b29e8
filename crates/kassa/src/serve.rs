//! `kassa serve`: the server.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use kassa_domain::{DecisionSettings, Percent, RegistrationPolicy};
use kassa_engine::documents::Fonts;
use kassa_http::SettingInForce;

use crate::backups::BackupScheduleArguments;
use crate::bound_server::{BoundServer, CopiesElsewhere};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation::{self, LogUse};
use crate::limits::ReadArguments;
use crate::log_shipping::{LogShippingArguments, Progress};
use crate::mail::MailArguments;
use crate::quotas::QuotaArguments;
use crate::secrets::{DATABASE_URL, S3_ACCESS_KEY, S3_SECRET_KEY, SERVER_SECRET, SMTP_PASSWORD, SecretPlace};
use crate::server_arguments::ServerArguments;
use crate::stripe::StripeArguments;
use crate::telemetry;
use crate::traces::TraceArguments;

/// Sessions of a server beside those of its lanes, as the documents say: for look-ups, and for lists.
const POSTGRES_READERS: u64 = 12;

/// Flags of `kassa serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    #[command(flatten)]
    mail: Box<MailArguments>,
    /// The platform's commission on each sale, in percent.
    #[arg(long, env = "KASSA_COMMISSION", value_name = "PERCENT", default_value = "3", value_parser = parse_percent)]
    commission: Percent,
    #[command(flatten)]
    quotas: QuotaArguments,
    /// Who can register an account: everybody, those whose e-mail a partner or the operator has invited, or nobody.
    #[arg(long, env = "KASSA_REGISTRATION", value_enum, value_name = "WHO", default_value = "open")]
    registration: RegistrationMode,
    /// Shops may offer payments that are tests: whoever buys says how they end, and gets tickets for nothing.
    #[arg(long, env = "KASSA_ALLOW_TEST_PAYMENTS")]
    allow_test_payments: bool,
    #[command(flatten)]
    stripe: StripeArguments,
    /// Parallel writers; each event belongs to one of them. 4 by default on PostgreSQL; SQLite supports one.
    #[arg(long, env = "KASSA_LANES", value_name = "NUMBER")]
    lanes: Option<usize>,
    #[command(flatten)]
    reads: ReadArguments,
    /// A folder with fonts for characters of documents that Noto Sans lacks, which has Latin, Greek and Cyrillic.
    #[arg(long, env = "KASSA_FONTS", value_name = "DIR")]
    fonts: Option<PathBuf>,
    /// How many days the feed keeps what has changed.
    #[arg(long, env = "KASSA_CHANGES_KEPT_DAYS", value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3_660))]
    changes_kept_days: u16,
    #[command(flatten)]
    pub(crate) backups: BackupScheduleArguments,
    #[command(flatten)]
    pub(crate) log_shipping: LogShippingArguments,
    #[command(flatten)]
    traces: TraceArguments,
}

impl ServeArguments {
    /// Notes what the program was told, for operators of the platform.
    pub(crate) fn tell_settings(&mut self, settings: Vec<SettingInForce>) {
        self.server.tell_settings(settings);
    }

    /// What would keep a server from starting, as far as that can be said without opening or asking anything.
    pub(crate) fn findings(&self) -> Vec<String> {
        let place = &self.installation;
        let mails = self.mail.delivery(&place.data, self.server.public_url.clone(), self.server.limits.mail_rates());
        let checks = [
            telemetry::check_filter(&self.server.log).map_err(Fatal::from),
            place.database().map(drop),
            installation::lane_count(place, self.lanes).map(drop),
            installation::given_secret(place).map(drop),
            place.files.check(),
            mails.map(drop),
            self.server.webhooks.outgoing([]).map(drop),
            self.stripe.clone().api(self.server.shop.currency).map(drop),
            self.server.shop.clone().settings().map(drop),
            self.document_fonts().map(drop),
            self.backups.schedule(place).map(drop),
            self.log_shipping.shipping(place).map(drop),
            self.traces.settings().map(drop),
            self.server.tls.identity().map(drop),
            self.server.tls.check_redirect(self.server.public_url.as_ref()),
        ];
        let mut findings: Vec<String> =
            checks.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
        // Two checks may stumble over one setting.
        findings.dedup();
        findings
    }

    /// The secrets that it may be given, and where each is.
    pub(crate) fn secret_places(&self) -> Vec<(&'static str, Option<SecretPlace>)> {
        let (place, files) = (&self.installation, &self.installation.files);
        let secrets = [
            (SERVER_SECRET, &place.secret_file),
            (SMTP_PASSWORD, &self.mail.smtp_password_file),
            (S3_ACCESS_KEY, &files.s3_access_key_file),
            (S3_SECRET_KEY, &files.s3_secret_key_file),
            (DATABASE_URL, &place.database_file),
        ];
        secrets.into_iter().map(|(secret, file)| (secret.credential, secret.place(file.as_deref()))).collect()
    }

    /// Where its installation is.
    pub(crate) fn place(&self) -> &InstallationArguments {
        &self.installation
    }

    /// Sessions that it opens in a database on a server.
    pub(crate) fn connections_wanted(&self) -> u64 {
        let lanes = self.lanes.unwrap_or(installation::POSTGRES_LANES_DEFAULT);
        u64::try_from(lanes).unwrap_or(u64::MAX).saturating_add(POSTGRES_READERS)
    }

    /// Its certificate, if it speaks TLS.
    pub(crate) fn certificate_file(&self) -> Option<PathBuf> {
        self.server.tls.files().ok().flatten().map(|(certificate, _)| certificate)
    }

    fn document_fonts(&self) -> Result<Fonts, Fatal> {
        match &self.fonts {
            Some(folder) => Ok(Fonts::with_folder(folder).map_err(|error| format!("--fonts {error}"))?),
            None => Ok(Fonts::embedded()),
        }
    }
}

fn parse_percent(text: &str) -> Result<Percent, String> {
    let percent: Percent =
        text.trim_end_matches('%').parse().map_err(|error: kassa_domain::money::MalformedPercent| error.to_string())?;
    if percent > Percent::HUNDRED { Err("it must be at most 100".to_owned()) } else { Ok(percent) }
}

/// Values of `--registration`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RegistrationMode {
    /// Everybody.
    Open,
    /// Those whose e-mail a partner or the operator has invited.
    Invite,
    /// Nobody: the operator creates users.
    Closed,
}

impl From<RegistrationMode> for RegistrationPolicy {
    fn from(mode: RegistrationMode) -> Self {
        match mode {
            RegistrationMode::Open => Self::Open,
            RegistrationMode::Invite => Self::Invite,
            RegistrationMode::Closed => Self::Closed,
        }
    }
}

/// Runs until SIGTERM or SIGINT: then takes no more, finishes what is queued, and returns.
pub(crate) async fn run(arguments: ServeArguments) -> Result<(), Fatal> {
    let mails = arguments.mail.delivery(
        &arguments.installation.data,
        arguments.server.public_url.clone(),
        arguments.server.limits.mail_rates(),
    )?;
    let outgoing = arguments.server.webhooks.outgoing([])?;
    let fonts = arguments.document_fonts()?;
    let stripe = arguments.stripe.api(arguments.server.shop.currency)?;
    let backups = arguments.backups.schedule(&arguments.installation)?;
    let shipping = arguments.log_shipping.shipping(&arguments.installation)?;
    let holds = arguments.server.limits.holds();
    let server = BoundServer::bind(arguments.server, outgoing)?;
    let traces = arguments.traces.start()?;
    let reads = arguments.reads.limits();
    let settings = DecisionSettings {
        commission: arguments.commission,
        quotas: arguments.quotas.quotas(),
        registration: arguments.registration.into(),
        allow_test_payments: arguments.allow_test_payments,
        allow_stripe: stripe.is_some(),
        holds,
    };
    let place = &arguments.installation;
    let progress = if shipping.is_some() { Progress::read(&place.data)? } else { None };
    let log = match &shipping {
        Some(_) => LogUse::Shipped(progress.as_ref().map(|progress| progress.position)),
        None => LogUse::Own,
    };
    let installation = installation::open_for_server(place, settings, arguments.lanes, reads, log).await?;
    installation.engine.use_fonts(fonts);
    if let Some(stripe) = stripe {
        installation.engine.use_stripe(stripe);
    }
    let changes_kept = Duration::from_hours(24 * u64::from(arguments.changes_kept_days));
    let copies = CopiesElsewhere { backups, log: shipping.map(|shipping| (shipping, progress)) };
    let ended = server.run(&installation, &place.data, mails, changes_kept, copies).await;
    if let Some(traces) = traces {
        traces.finish().await;
    }
    ended
}
