//! `kassa config`: whether the settings are sound, and where each is from.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use kassa_http::{SettingInForce, SettingSource};

use crate::config_file::{CONFIG_FLAG, KnownSetting, ValueKind};
use crate::error::Fatal;
use crate::program_arguments::ProgramArguments;
use crate::serve::ServeArguments;

/// Flags of `kassa config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

/// Both take the flags of `kassa serve`, which come before the environment and the file as they do there.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Checks the configuration file and all settings without starting anything. The exit status is 0 if a server would
    /// start with them.
    Check(Box<ServeArguments>),
    /// Prints all settings as a configuration file, with where each is from; secrets are hidden.
    Show(Box<ServeArguments>),
}

/// Says what is wrong, a line each, or that nothing is.
pub(crate) fn check(serve: &ServeArguments, file: Option<&str>) -> Result<(), Fatal> {
    let findings = serve.findings();
    if !findings.is_empty() {
        return Err(findings.join("\n").into());
    }
    println!("the settings are sound{}", file.map(|file| format!(": {file}")).unwrap_or_default());
    Ok(())
}

/// Prints what is in force.
pub(crate) fn show(program: &ProgramArguments, serve: &ServeArguments) {
    print!("{}", shown(program));
    for (secret, place) in serve.secret_places() {
        match place {
            Some(place) => println!("# the secret {secret} is hidden: {place}"),
            None => println!("# the secret {secret} is not set"),
        }
    }
}

fn shown(program: &ProgramArguments) -> String {
    let mut text = String::new();
    let (mut command, mut matches) = (&program.command, &program.called);
    while let Some((name, inner)) = matches.subcommand()
        && let Some(below) = command.find_subcommand(name)
    {
        (command, matches) = (below, inner);
    }
    let settings = program.settings_in_force();
    for argument in command.get_arguments().filter(|argument| argument.get_id() != CONFIG_FLAG) {
        let Some(known) = KnownSetting::of(argument) else { continue };
        let Some(setting) = settings.iter().find(|setting| setting.name == known.name()) else {
            writeln!(text, "# {} is not set", known.name()).unwrap_or_default();
            continue;
        };
        let from = match setting.source {
            SettingSource::CommandLine => "flag".to_owned(),
            SettingSource::Environment => "environment".to_owned(),
            SettingSource::Default => "default".to_owned(),
            SettingSource::File => program.file.as_ref().map_or_else(String::new, |file| {
                format!("{}:{}", file.path.display(), file.line_of(argument).unwrap_or_default())
            }),
        };
        let line = match &setting.value {
            Some(_) => format!("{} = {}", known.name(), written_value(&known, setting)),
            None => format!("# {} is hidden", known.name()),
        };
        writeln!(text, "{line:<56} # {from}").unwrap_or_default();
    }
    text
}

/// A value as a configuration file has it.
fn written_value(known: &KnownSetting<'_>, setting: &SettingInForce) -> String {
    let value = setting.value.as_deref().unwrap_or_default();
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    match known.kind() {
        _ if known.is_list() => {
            let items: Vec<String> = value.split(',').filter(|item| !item.is_empty()).map(quoted).collect();
            format!("[{}]", items.join(", "))
        }
        ValueKind::Switch | ValueKind::Number => value.to_owned(),
        ValueKind::NumberOrText if is_number => value.to_owned(),
        ValueKind::NumberOrText | ValueKind::Text => quoted(value),
    }
}

/// A basic string: those of JSON are a part of them.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
