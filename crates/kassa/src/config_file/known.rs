//! What a configuration file may say: the settings of the server, as its flags describe them.

use std::any::TypeId;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command};

use super::CONFIG_FLAG;

/// A setting, as its flag describes it.
pub(crate) struct KnownSetting<'a>(&'a Arg);

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// `true` or `false`.
    Switch,
    /// A whole number.
    Number,
    /// A text.
    Text,
    /// A number, or a text such as `off`.
    NumberOrText,
}

/// Whatever the environment can tell the server.
pub(super) fn known_settings(program: &Command) -> Vec<KnownSetting<'_>> {
    let server = program.find_subcommand("serve");
    let arguments = server.into_iter().flat_map(Command::get_arguments);
    arguments.filter_map(KnownSetting::of).collect()
}

impl<'a> KnownSetting<'a> {
    /// `None` for flags that only a command line has.
    pub(crate) fn of(argument: &'a Arg) -> Option<Self> {
        let is_setting =
            argument.get_env().is_some() && argument.get_long().is_some() && argument.get_id() != CONFIG_FLAG;
        is_setting.then_some(Self(argument))
    }

    /// Its key.
    pub(crate) fn name(&self) -> &'a str {
        self.0.get_long().unwrap_or_default()
    }

    /// Its variable.
    pub(super) fn variable(&self) -> String {
        self.0.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> ValueKind {
        if matches!(self.0.get_action(), ArgAction::SetTrue) {
            return ValueKind::Switch;
        }
        let parsed = self.0.get_value_parser().type_id();
        let numbers =
            [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<i64>()];
        let texts = [TypeId::of::<String>(), TypeId::of::<PathBuf>(), TypeId::of::<OsString>()];
        if numbers.iter().any(|number| parsed == *number) {
            ValueKind::Number
        } else if texts.iter().any(|text| parsed == *text) || !self.0.get_possible_values().is_empty() {
            ValueKind::Text
        } else {
            ValueKind::NumberOrText
        }
    }

    /// Whether it takes several values.
    pub(crate) fn is_list(&self) -> bool {
        self.0.get_value_delimiter().is_some() || matches!(self.0.get_action(), ArgAction::Append)
    }

    /// What its flag would say of these values.
    pub(super) fn check(&self, values: &[String]) -> Result<(), String> {
        let alone = Command::new("kassa").no_binary_name(true).disable_help_flag(true);
        let alone = alone.arg(self.0.clone().env(None::<&'static str>).required(false));
        let flags = values.iter().map(|value| format!("--{}={value}", self.name()));
        alone.try_get_matches_from(flags).map(drop).map_err(|error| {
            if let Some(source) = error.source() {
                return source.to_string();
            }
            match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(names)) => format!("must be one of {}", names.join(", ")),
                _ => error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
            }
        })
    }
}
