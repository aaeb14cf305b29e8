//! SIGHUP: the settings are read again. What can be changed while the server runs is changed; of all else it is said that
//! it needs a restart.

use std::sync::Arc;

use clap::{Args as _, Command};
use kassa_engine::mail::MailLimits;
use kassa_http::{AppState, SettingInForce, TlsIdentity};

use crate::Commands;
use crate::limits::RateArguments;
use crate::program_arguments::{InvalidArguments, read_arguments};
use crate::server_arguments::ServerArguments;
use crate::telemetry::LogFilter;
use crate::tls;

/// What is changed by a reload.
pub(crate) struct Reloader {
    pub(crate) settings: Vec<SettingInForce>,
    pub(crate) app: AppState,
    pub(crate) mail_limits: Arc<MailLimits>,
    pub(crate) log_filter: LogFilter,
    pub(crate) tls: Option<TlsIdentity>,
}

impl Reloader {
    /// Reads everything again. Settings that cannot be read change nothing.
    pub(crate) fn reload(&mut self) {
        if let Some(identity) = &self.tls {
            tls::reload(identity);
        }
        match read_arguments() {
            Ok(program) => {
                let settings = program.settings_in_force();
                // No other command runs for so long.
                if let Commands::Serve(serve) = &program.arguments.command {
                    self.apply(&serve.server, settings);
                } else if let Commands::Demo(demo) = &program.arguments.command {
                    self.apply(&demo.server, settings);
                }
            }
            Err(InvalidArguments::Flags(error)) => tracing::error!(%error, "the settings were not reloaded"),
            Err(InvalidArguments::File(error)) => tracing::error!(%error, "the settings were not reloaded"),
        }
    }

    fn apply(&mut self, server: &ServerArguments, settings: Vec<SettingInForce>) {
        if let Err(error) = self.log_filter.set(&server.log) {
            tracing::error!(error, "the settings were not reloaded");
            return;
        }
        self.app.set_rate_limits(&server.limits.rates());
        self.mail_limits.set_rates(server.limits.mail_rates());
        let changed = changes(&self.settings, &settings);
        let of_rates = RateArguments::augment_args(Command::new("rates"));
        for (name, from, to) in &changed {
            let is_applied =
                *name == "log" || of_rates.get_arguments().any(|argument| argument.get_long() == Some(name));
            if is_applied {
                tracing::info!(setting = name, from, to, "a setting was changed");
            } else {
                tracing::warn!(setting = name, from, to, "a setting was changed, and needs a restart");
            }
        }
        tracing::info!(changed = changed.len(), "the settings were reloaded");
        self.settings = settings;
    }
}

/// What differs, by name, with its values before and after. Secrets are not compared: none is changed by this.
fn changes<'a>(before: &'a [SettingInForce], after: &'a [SettingInForce]) -> Vec<(&'a str, String, String)> {
    let value_in = |settings: &[SettingInForce], name: &str| {
        let setting = settings.iter().find(|setting| setting.name == name);
        setting.and_then(|setting| setting.value.clone()).unwrap_or_default()
    };
    let mut names: Vec<&str> = before.iter().chain(after).map(|setting| setting.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let compared = names.into_iter().map(|name| (name, value_in(before, name), value_in(after, name)));
    compared.filter(|(_, before, after)| before != after).collect()
}

#[cfg(test)]
mod tests {
    use kassa_http::SettingSource;

    use super::*;

    #[test]
    fn what_comes_goes_and_differs_is_changed() {
        let setting = |name: &str, value: Option<&str>| SettingInForce {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            source: SettingSource::File,
        };
        let before = [setting("log", Some("info")), setting("lanes", Some("2")), setting("database", None)];
        let after = [setting("log", Some("warn")), setting("hsts", Some("0")), setting("database", None)];
        let expected = [("hsts", "", "0"), ("lanes", "2", ""), ("log", "info", "warn")];
        let changes = changes(&before, &after);
        let changes: Vec<_> = changes.iter().map(|(name, from, to)| (*name, from.as_str(), to.as_str())).collect();
        assert_eq!(changes, expected);
    }
}
