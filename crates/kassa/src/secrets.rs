//! Secrets: command lines are visible to others, so none of them is a flag. Each is in a variable, in a file that a flag
//! names, or is a credential of the service manager.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use crate::error::Fatal;

/// A secret that the program may be given.
pub(crate) struct NamedSecret {
    /// Its credential of the service manager.
    pub(crate) credential: &'static str,
    /// The variable that contains it.
    pub(crate) variable: &'static str,
}

/// The server's own.
pub(crate) const SERVER_SECRET: NamedSecret = NamedSecret { credential: "secret", variable: "KASSA_SECRET" };
/// The URL of the database. Its variable is that of its flag.
pub(crate) const DATABASE_URL: NamedSecret = NamedSecret { credential: "database", variable: "KASSA_DATABASE" };
/// The password of the mail server.
pub(crate) const SMTP_PASSWORD: NamedSecret =
    NamedSecret { credential: "smtp-password", variable: "KASSA_SMTP_PASSWORD" };
/// The keys of the bucket.
pub(crate) const S3_ACCESS_KEY: NamedSecret =
    NamedSecret { credential: "s3-access-key", variable: "KASSA_S3_ACCESS_KEY" };
pub(crate) const S3_SECRET_KEY: NamedSecret =
    NamedSecret { credential: "s3-secret-key", variable: "KASSA_S3_SECRET_KEY" };

/// Where a secret is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SecretPlace {
    Variable(&'static str),
    File(PathBuf),
    Credential(PathBuf),
}

impl NamedSecret {
    /// Where it is, if it is given at all: a variable comes before a file, and a file before a credential.
    pub(crate) fn place(&self, file: Option<&Path>) -> Option<SecretPlace> {
        if env::var_os(self.variable).is_some_and(|text| !text.is_empty()) {
            return Some(SecretPlace::Variable(self.variable));
        }
        let credential = || credential_file(self.credential).map(SecretPlace::Credential);
        file.map(|file| SecretPlace::File(file.to_owned())).or_else(credential)
    }

    /// What it is, without the end of its line.
    pub(crate) fn read(&self, file: Option<&Path>) -> Result<Option<String>, Fatal> {
        self.place(file).map(|place| place.read()).transpose()
    }
}

impl fmt::Display for SecretPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File(file) | Self::Credential(file) => write!(f, "{}", file.display()),
        }
    }
}

impl SecretPlace {
    pub(crate) fn read(&self) -> Result<String, Fatal> {
        let text = match self {
            Self::Variable(name) => env::var(name).map_err(|_| format!("{name} is not UTF-8"))?,
            Self::File(file) | Self::Credential(file) => read_text(file)?,
        };
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// The file of a credential that the service manager has passed on.
pub(crate) fn credential_file(name: &str) -> Option<PathBuf> {
    let file = PathBuf::from(env::var_os("CREDENTIALS_DIRECTORY")?).join(name);
    file.exists().then_some(file)
}

fn read_text(file: &Path) -> Result<String, Fatal> {
    let text = fs::read(file).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
    });
    text.map_err(|error| format!("{}: {error}", file.display()).into())
}
