//! How webhooks leave an installation: flags, and what they mean.

use std::path::PathBuf;

use clap::Args;
use kassa_engine::outgoing::{AllowedTarget, OutgoingHttp, OutgoingRules};

use crate::error::Fatal;

/// Flags of the server that sends webhooks.
#[derive(Debug, Args)]
pub(crate) struct WebhookArguments {
    /// Where webhooks may be sent besides https URLs of the internet with port 443 or 8443: networks such as
    /// `10.1.0.0/16`, and hosts with their port such as `hooks.internal:8080`, by http, too.
    #[arg(long, env = "KASSA_WEBHOOK_ALLOW", value_name = "TARGETS", value_delimiter = ',')]
    webhook_allow: Vec<AllowedTarget>,
    /// A PEM file with CA certificates to trust for receivers of webhooks, in addition to those of the system.
    #[arg(long, env = "KASSA_WEBHOOK_CA_FILE", value_name = "FILE")]
    webhook_ca_file: Option<PathBuf>,
}

impl WebhookArguments {
    /// The way that the flags name; `also` is allowed besides. Nothing is asked yet.
    pub(crate) fn outgoing(&self, also: impl IntoIterator<Item = AllowedTarget>) -> Result<OutgoingHttp, Fatal> {
        let read = |file: &PathBuf| std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
        let certificates = self.webhook_ca_file.as_ref().map(read).transpose()?;
        let rules = OutgoingRules::new(self.webhook_allow.iter().cloned().chain(also));
        Ok(OutgoingHttp::new(rules, certificates.as_deref())?)
    }
}
