//! The configuration file: its values stand in for the defaults of flags, so that flags and variables come before them.
//!
//! What it may say is what `kassa serve` may be told by its environment: no setting is listed twice.

mod document;
mod known;

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

pub(crate) use known::{KnownSetting, ValueKind};

/// Where it is looked for if nobody names one.
pub(crate) const DEFAULT_FILE: &str = "/etc/kassa/kassa.toml";
/// The flag that names it, and its variable.
pub(crate) const CONFIG_FLAG: &str = "config";
const CONFIG_VARIABLE: &str = "KASSA_CONFIG";
/// Commands with data of their own: only a file that was named concerns them.
const COMMANDS_WITHOUT_DEFAULT_FILE: [&str; 3] = ["demo", "bench", "restore"];

/// A file, and what it sets.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    settings: Vec<FileSetting>,
}

/// A setting in a file.
#[derive(Debug)]
struct FileSetting {
    /// Its variable, by which flags of all commands know it.
    variable: String,
    line: usize,
    values: Vec<String>,
}

/// What is wrong with a file: a line for each finding.
#[derive(Debug)]
pub(crate) struct ConfigErrors(Vec<String>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl ConfigFile {
    /// The file that the command line or the environment names, or the usual one if it is there.
    pub(crate) fn find(program: &Command, called: Option<&ArgMatches>) -> Result<Option<Self>, ConfigErrors> {
        let named = called.and_then(named_file).or_else(|| env::var_os(CONFIG_VARIABLE).map(PathBuf::from));
        if let Some(path) = named.filter(|path| !path.as_os_str().is_empty()) {
            return Self::load(&path, program).map(Some);
        }
        let command = called.and_then(ArgMatches::subcommand_name).unwrap_or_default();
        let usual = Path::new(DEFAULT_FILE);
        if COMMANDS_WITHOUT_DEFAULT_FILE.contains(&command) || !usual.exists() {
            return Ok(None);
        }
        Self::load(usual, program).map(Some)
    }

    /// Reads a file, which must say nothing that the server does not know.
    fn load(path: &Path, program: &Command) -> Result<Self, ConfigErrors> {
        let failed = |error: io::Error| ConfigErrors(vec![format!("{}: {error}", path.display())]);
        let text = fs::read_to_string(path).map_err(failed)?;
        let read = document::read_settings(&text, &known::known_settings(program));
        let settings = read.map_err(|found| {
            ConfigErrors(found.into_iter().map(|(line, text)| format!("{}:{line}: {text}", path.display())).collect())
        })?;
        Ok(Self { path: path.to_owned(), settings })
    }

    /// A command, and those below it, with what the file says in place of defaults.
    pub(crate) fn apply(&self, command: Command) -> Command {
        let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
        let command = command.mut_args(|argument| match self.setting_of(&argument) {
            Some(setting) => {
                // Help shows defaults.
                let is_secret = argument.is_hide_env_values_set();
                argument.required(false).default_values(setting.values.clone()).hide_default_value(is_secret)
            }
            None => argument,
        });
        names.into_iter().fold(command, |command, name| command.mut_subcommand(name, |inner| self.apply(inner)))
    }

    /// In which line the file says what a flag is, if it does.
    pub(crate) fn line_of(&self, argument: &Arg) -> Option<usize> {
        self.setting_of(argument).map(|setting| setting.line)
    }

    fn setting_of(&self, argument: &Arg) -> Option<&FileSetting> {
        let variable = argument.get_env()?;
        self.settings.iter().find(|setting| *setting.variable == *variable)
    }
}

/// The file that the command line names.
fn named_file(called: &ArgMatches) -> Option<PathBuf> {
    called.try_get_one::<PathBuf>(CONFIG_FLAG).ok().flatten().cloned()
}
