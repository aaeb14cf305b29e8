//! SIGHUP: the settings are read again. What can be changed while the server runs is changed; of all else it is said that
//! it needs a restart.

use std::sync::Arc;

use clap::{Args as _, Command};
use kassa_engine::mail::MailLimits;
use kassa_http::{AppState, SettingInForce, TlsIdentity};

use crate::Commands;
use crate::limits::RateArguments;
use crate::program_arguments::read_arguments;
use crate::server_arguments::ServerArguments;
use crate::telemetry::LogFilter;
use crate::tls;

/// What is changed by a reload.
pub(crate) struct Reloader {
    /// What is in force.
    pub(crate) settings: Vec<SettingInForce>,
    pub(crate) app: AppState,
    pub(crate) mail_limits: Arc<MailLimits>,
    pub(crate) log_filter: LogFilter,
    pub(crate) tls: Option<TlsIdentity>,
}

/// What the program is told now.
struct NewSettings {
    server: ServerArguments,
    all: Vec<SettingInForce>,
}

impl Reloader {
    /// Reads everything again. Settings with a mistake change nothing.
    pub(crate) async fn reload(&mut self) {
        let tls = self.tls.clone();
        // Files may be slow.
        let read = tokio::task::spawn_blocking(move || {
            if let Some(identity) = tls {
                tls::reload(&identity);
            }
            NewSettings::read()
        });
        let applied = match read.await {
            Ok(read) => read.and_then(|new| self.apply(&new)),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = applied {
            tracing::error!(error, "the settings were not reloaded");
        }
    }

    fn apply(&mut self, new: &NewSettings) -> Result<(), String> {
        self.log_filter.set(&new.server.log)?;
        self.app.set_rate_limits(&new.server.limits.rates());
        self.mail_limits.set_rates(new.server.limits.mail_rates());
        let of_rates = RateArguments::augment_args(Command::new("rates"));
        let is_reloadable =
            |name: &str| name == "log" || of_rates.get_arguments().any(|argument| argument.get_long() == Some(name));
        let changed = changes(&self.settings, &new.all);
        for (name, from, to) in &changed {
            if is_reloadable(name) {
                tracing::info!(setting = name, from, to, "a setting was changed");
            } else {
                tracing::warn!(setting = name, from, to, "a setting was changed, and needs a restart");
            }
        }
        tracing::info!(changed = changed.len(), "the settings were reloaded");
        self.settings = in_force(&self.settings, &new.all, is_reloadable);
        self.app.set_settings_in_force(self.settings.clone());
        Ok(())
    }
}

impl NewSettings {
    fn read() -> Result<Self, String> {
        let program = read_arguments().map_err(|error| error.to_string())?;
        let all = program.settings_in_force();
        // No other command runs for so long.
        if let Commands::Demo(demo) = program.arguments.command {
            return Ok(Self { server: demo.server, all });
        }
        let Commands::Serve(serve) = program.arguments.command else {
            return Err("no server is to be run any more".to_owned());
        };
        let findings = serve.findings();
        if findings.is_empty() { Ok(Self { server: serve.server, all }) } else { Err(findings.join("; ")) }
    }
}

/// What is in force after a reload: what waits for a restart is as it was before.
fn in_force(
    before: &[SettingInForce],
    after: &[SettingInForce],
    is_reloadable: impl Fn(&str) -> bool,
) -> Vec<SettingInForce> {
    let find = |settings: &[SettingInForce], name: &str| settings.iter().find(|found| found.name == name).cloned();
    let known = before.iter().filter_map(|setting| {
        if is_reloadable(&setting.name) { find(after, &setting.name) } else { Some(setting.clone()) }
    });
    let is_new = |setting: &&SettingInForce| is_reloadable(&setting.name) && find(before, &setting.name).is_none();
    known.chain(after.iter().filter(is_new).cloned()).collect()
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

    fn setting(name: &str, value: Option<&str>) -> SettingInForce {
        SettingInForce { name: name.to_owned(), value: value.map(str::to_owned), source: SettingSource::File }
    }

    #[test]
    fn what_waits_for_a_restart_is_not_in_force() {
        let before = [setting("log", Some("info")), setting("lanes", Some("2")), setting("limit-orders", Some("9"))];
        let after = [setting("lanes", Some("4")), setting("log", Some("warn")), setting("limit-exports", Some("1"))];
        let now = in_force(&before, &after, |name| name != "lanes");
        let expected = [setting("log", Some("warn")), setting("lanes", Some("2")), setting("limit-exports", Some("1"))];
        assert_eq!(now, expected);
    }

    #[test]
    fn what_comes_goes_and_differs_is_changed() {
        let before = [setting("log", Some("info")), setting("lanes", Some("2")), setting("database", None)];
        let after = [setting("log", Some("warn")), setting("hsts", Some("0")), setting("database", None)];
        let expected = [("hsts", "", "0"), ("lanes", "2", ""), ("log", "info", "warn")];
        let changes = changes(&before, &after);
        let changes: Vec<_> = changes.iter().map(|(name, from, to)| (*name, from.as_str(), to.as_str())).collect();
        assert_eq!(changes, expected);
    }
}
