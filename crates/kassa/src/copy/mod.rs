//! `kassa copy`: an installation moves from its data folder into a PostgreSQL database, with its secret and its
//! files where these are to lie elsewhere, too.

mod progress;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use kassa_engine::files::CopyOutcome;
use kassa_engine::{FileStore, Secret};
use kassa_store::StoreError;
use kassa_store::installation_copy::{CopyProgress, InstallationCopy};
use kassa_store::postgres::Postgres;
use kassa_store::sqlite::DataFolder;

use crate::config::{DatabaseArgument, database_url};
use crate::error::Fatal;
use crate::files::{FileStorageLocation, FilesArguments};
use crate::installation::{create_data_folder, database_error_text, write_secret};
use crate::telemetry::{self, LogFormat};
use progress::ProgressDisplay;

/// Flags of `kassa copy`.
#[derive(Debug, Args)]
pub(crate) struct CopyArguments {
    /// The data folder to copy from. No server may be running on it.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// The PostgreSQL database to copy to, such as `postgres://user:password@host/name`: empty, or with an interrupted
    /// copy of this installation. Command lines are visible to other users of the machine: pass a URL with a password
    /// in the variable.
    #[arg(long, env = "KASSA_DATABASE", value_name = "URL", hide_env_values = true)]
    to: Option<DatabaseArgument>,
    /// A file with the URL of that database, if `--to` does not say it.
    #[arg(long, env = "KASSA_DATABASE_FILE", value_name = "FILE")]
    to_file: Option<PathBuf>,
    /// The data folder of the server on the new database: it gets the secret, and the files unless `--files` puts
    /// them elsewhere. Without it, they stay where they are.
    #[arg(long, env = "KASSA_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    files: FilesArguments,
    /// Where the bytes of attachments are kept now, when that is not `files` of the data folder: a folder, or
    /// `s3://<bucket>/<prefix>` at the same service.
    #[arg(long, value_name = "PLACE")]
    from_files: Option<FileStorageLocation>,
    /// Completes the copy also where the bytes of attachments are lost or damaged: they are listed, and left out.
    #[arg(long)]
    without_lost_files: bool,
    /// Throws away what an interrupted copy has left in the database, and begins anew.
    #[arg(long)]
    anew: bool,
}

/// Copies what is not copied yet, compares both sides, and prints what to do next.
pub(crate) async fn run(arguments: CopyArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let url = &database_url(arguments.to.as_ref(), arguments.to_file.as_deref())?
        .ok_or("say the database to copy to: --to, KASSA_DATABASE or --to-file")?;
    let from = arguments.from.display();
    let in_folder = |error: StoreError| -> Fatal {
        if let StoreError::Locked(_) = error {
            return format!("a server is running on {from}: stop it first").into();
        }
        format!("data folder {from}: {error}").into()
    };
    let folder = DataFolder::open_exclusive(&arguments.from).map_err(in_folder)?;
    let source = folder.copy_source().map_err(in_folder)?;
    let describe = |error: &dyn std::error::Error| database_error_text(url, error);
    let postgres = Postgres::connect(url).await.map_err(|error| describe(&error))?;
    let mut copying =
        InstallationCopy::begin(source, &postgres, arguments.anew).await.map_err(|error| describe(&error))?;
    let secret = copy_secret(&folder, copying.fingerprint(), arguments.data.as_deref())?;
    let mut shown = ProgressDisplay::new();
    let mut tell = |progress: CopyProgress| shown.show(progress);
    let rows = copying.copy_rows(&mut tell).await.map_err(|error| describe(&error))?;
    copying.verify(&mut tell).await.map_err(|error| describe(&error))?;
    let files = copy_files(&copying, &arguments).await?;
    copying.finish().await.map_err(|error| describe(&error))?;
    println!("The copy is complete: {rows} rows, each compared. {files}");
    print_next_steps(&arguments, &secret);
    Ok(())
}

/// Copies the secret into the new data folder, where there is one. Tells where it is then, or what to do about it.
fn copy_secret(folder: &DataFolder, fingerprint: &str, data: Option<&Path>) -> Result<String, Fatal> {
    let own = folder.secret_file();
    let unreadable = |file: &Path, error: &io::Error| format!("{}: {error}", file.display());
    let text = match fs::read_to_string(&own) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unreadable(&own, &error).into()),
    };
    let holds = |text: &str| Secret::new(text).is_ok_and(|secret| secret.fingerprint() == fingerprint);
    let Some(text) = text.filter(|text| holds(text)) else {
        return Ok("The secret goes along: give the server the one that it has had, by KASSA_SECRET or --secret-file."
            .to_owned());
    };
    let Some(data) = data else {
        return Ok(format!("The secret goes along: {} belongs to the database from now on.", own.display()));
    };
    let new = data.join("secret");
    if new.exists() {
        let found = fs::read_to_string(&new).map_err(|error| unreadable(&new, &error))?;
        if !holds(&found) {
            return Err(format!("{} is the secret of another installation", new.display()).into());
        }
    } else {
        let made = create_data_folder(data).and_then(|()| write_secret(&new, text.trim_end()));
        made.map_err(|error| unreadable(&new, &error))?;
    }
    Ok(format!("The secret is in {}.", new.display()))
}

/// Copies the bytes of attachments to where the new server looks for them. Tells what was done.
async fn copy_files(copying: &InstallationCopy, arguments: &CopyArguments) -> Result<String, Fatal> {
    let old = arguments.from.join("files");
    let to = match (&arguments.data, arguments.files.are_outside_data_folder()) {
        (None, false) => return Ok("Files stay where they are.".to_owned()),
        (None, true) => arguments.files.open(&arguments.from)?,
        (Some(data), _) => arguments.files.open(data)?,
    };
    let from = match &arguments.from_files {
        None if old.exists() => Some(FileStore::in_folder(&old)?),
        None => None,
        Some(place) => Some(arguments.files.open_location(place)?),
    };
    let (mut copied, mut there, mut bad, mut last) = (0, 0, 0, None);
    loop {
        let attachments = copying.attachments(last)?;
        let Some(final_one) = attachments.last() else { break };
        last = Some(final_one.id);
        for attachment in attachments.iter().filter(|attachment| !attachment.removed) {
            // Where there is no place to copy from, all must be there.
            let moved = to.copy_from(from.as_ref(), attachment).await;
            match moved.map_err(|error| format!("the bytes of attachment {}: {error}", attachment.id))? {
                CopyOutcome::Copied => copied += 1,
                CopyOutcome::AlreadyPresent => there += 1,
                CopyOutcome::Mismatch(fault) => {
                    bad += 1;
                    eprintln!("the bytes of attachment {} are {fault}", attachment.id);
                }
            }
        }
        eprintln!("copying files: {}", copied + there);
    }
    let files = format!("Files: {copied} copied, {there} were there already");
    match (bad, arguments.without_lost_files) {
        (0, _) => Ok(format!("{files}.")),
        (bad, true) => Ok(format!("{files}, {bad} lost or damaged and left out.")),
        (bad, false) => Err(format!(
            "the bytes of {bad} attachments, listed above, are lost or damaged: bring them back and run kassa copy \
             again, or go on without them by --without-lost-files"
        )
        .into()),
    }
}

fn print_next_steps(arguments: &CopyArguments, secret: &str) {
    let data = arguments.data.as_ref().unwrap_or(&arguments.from).display();
    println!("{secret}");
    println!("Start the server with the same KASSA_DATABASE, and none without it on {}:", arguments.from.display());
    println!("  kassa serve --data {data}");
}
