//! Backups: an installation as one file, in a folder or a bucket, made once or so often.
//!
//! The file is a tar archive: the database as of one moment, `kassa.db` of a data folder or `kassa.dump` of PostgreSQL;
//! `files/…`, the bytes of attachments, unless they are elsewhere; and `complete` as the last entry, with the digest of all
//! before it, so that a part of a file, or one that was damaged, is known as such. The secret is not in it: whoever has the
//! file alone can read no key.

mod archive;
mod backup_file;
mod digest;
mod error;
mod making;
mod name;
mod partial_file;
mod pipe;
mod place;
mod postgres_tools;
mod retention;
mod schedule;
mod scratch_file;
mod settings;
mod source;
mod worker_thread;

pub(crate) use archive::{ArchiveContents, ArchiveEntry, DatabaseKind, FILES_ENTRY, read_archive};
pub(crate) use backup_file::{BackupFile, read_bytes};
pub(crate) use error::BackupError;
pub(crate) use making::{MadeBackup, make_file};
pub(crate) use partial_file::create_private_file;
pub(crate) use place::BackupPlace;
pub(crate) use postgres_tools::restore_dump;
pub(crate) use retention::Retention;
pub(crate) use schedule::{BackupSchedule, make_one, run_schedule};
pub(crate) use settings::{BackupInterval, BackupScheduleArguments, RETENTION_DEFAULT};
pub(crate) use source::BackupSource;
pub(crate) use worker_thread::on_thread;
