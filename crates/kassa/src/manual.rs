//! `kassa manual`: what packages have beside the program, made from its flags.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::error::Fatal;

/// Flags of `kassa manual`.
#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// A folder, which is created if it is missing: `man` in it gets the pages, `completions` what shells read.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes a page for each command, and completions for bash, fish and zsh.
pub(crate) fn run(program: Command, arguments: &ManualArguments) -> Result<(), Fatal> {
    let folder = &arguments.folder;
    write(program, folder).map_err(|error| format!("{}: {error}", folder.display()).into())
}

fn write(mut program: Command, folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let mut built = program.clone().disable_help_subcommand(true);
    built.build();
    write_pages(&built, &format!("kassa {}", env!("CARGO_PKG_VERSION")), &pages)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut program, "kassa", &completions)?;
    }
    Ok(())
}

/// The page of a command and those of the commands below it.
fn write_pages(command: &Command, source: &str, folder: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, source, folder)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = File::create(folder.join(format!("{name}.1")))?;
    Man::new(command.clone()).title(name).source(source).manual("Kassa").render(&mut page)
}
