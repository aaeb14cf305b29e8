//! What the program was told, by the command line, the environment and the configuration file.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use kassa_http::{SettingInForce, SettingSource};

use crate::config_file::ConfigFile;

/// The settings of the subcommand that was called, by their order in its help. Of secrets only that they are set.
pub(crate) fn settings_in_force(
    program: &Command,
    matches: &ArgMatches,
    file: Option<&ConfigFile>,
) -> Vec<SettingInForce> {
    let Some((name, inner)) = matches.subcommand() else {
        return program.get_arguments().filter_map(|argument| setting(argument, matches, file)).collect();
    };
    program.find_subcommand(name).map(|command| settings_in_force(command, inner, file)).unwrap_or_default()
}

fn setting(argument: &Arg, matches: &ArgMatches, file: Option<&ConfigFile>) -> Option<SettingInForce> {
    let id = argument.get_id().as_str();
    // Help and version have no value.
    let source = matches.try_contains_id(id).ok().and_then(|_| matches.value_source(id))?;
    let source = if source == ValueSource::CommandLine {
        SettingSource::CommandLine
    } else if source == ValueSource::EnvVariable {
        SettingSource::Environment
    } else if file.is_some_and(|file| file.line_of(argument).is_some()) {
        SettingSource::File
    } else {
        SettingSource::Default
    };
    let values = matches.get_raw(id)?.map(|value| value.to_string_lossy().into_owned());
    let value = (!argument.is_hide_env_values_set()).then(|| values.collect::<Vec<String>>().join(","));
    Some(SettingInForce { name: argument.get_long()?.to_owned(), value, source })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Arguments;

    #[test]
    fn secrets_are_not_shown() {
        let url = "postgresql://kassa:hidden@localhost/kassa";
        let mut program = Arguments::command();
        let called = program.try_get_matches_from_mut(["kassa", "serve", "--database", url, "--commission", "4"]);
        let settings = settings_in_force(&program, &called.unwrap(), None);
        let of = |name: &str| settings.iter().find(|setting| setting.name == name).unwrap();
        assert_eq!((of("database").value.as_deref(), of("database").source), (None, SettingSource::CommandLine));
        assert_eq!(
            (of("commission").value.as_deref(), of("commission").source),
            (Some("4"), SettingSource::CommandLine)
        );
        assert_eq!(
            (of("listen").value.as_deref(), of("listen").source),
            (Some("127.0.0.1:8080"), SettingSource::Default)
        );
    }
}
