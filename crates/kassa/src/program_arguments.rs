//! The command line, the environment and the configuration file, read together.

use std::fmt;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use kassa_http::SettingInForce;

use crate::Arguments;
use crate::config_file::{ConfigErrors, ConfigFile};
use crate::settings_in_force::settings_in_force;

/// What the program was told.
pub(crate) struct ProgramArguments {
    pub(crate) arguments: Arguments,
    pub(crate) command: Command,
    pub(crate) called: ArgMatches,
    pub(crate) file: Option<ConfigFile>,
}

/// Why it is not known what to do.
pub(crate) enum InvalidArguments {
    /// Also where help was asked for.
    Flags(clap::Error),
    File(ConfigErrors),
}

/// Reads all of it; the file anew each time.
pub(crate) fn read_arguments() -> Result<ProgramArguments, InvalidArguments> {
    let program = Arguments::command();
    // What is missing may be in the file; and whoever asks for help gets it below.
    let asked = program.clone().ignore_errors(true).try_get_matches().ok();
    let file = match ConfigFile::find(&program, asked.as_ref()) {
        Ok(file) => file,
        Err(errors) => return Err(InvalidArguments::without_file(program, errors)),
    };
    let mut command = match &file {
        Some(file) => file.apply(program),
        None => program,
    };
    let called = command.try_get_matches_from_mut(std::env::args_os()).map_err(InvalidArguments::Flags)?;
    let arguments = Arguments::from_arg_matches(&called).map_err(InvalidArguments::Flags)?;
    Ok(ProgramArguments { arguments, command, called, file })
}

impl InvalidArguments {
    /// Whoever asks for help or for the version gets it, whatever the file says.
    fn without_file(mut program: Command, errors: ConfigErrors) -> Self {
        match program.try_get_matches_from_mut(std::env::args_os()) {
            Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
                Self::Flags(error)
            }
            Ok(_) | Err(_) => Self::File(errors),
        }
    }
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flags(error) => error.fmt(f),
            Self::File(errors) => errors.fmt(f),
        }
    }
}

impl ProgramArguments {
    /// The settings of the command that was called.
    pub(crate) fn settings_in_force(&self) -> Vec<SettingInForce> {
        settings_in_force(&self.command, &self.called, self.file.as_ref())
    }
}
