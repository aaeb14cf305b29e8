//! Where the files of an installation are: flags, and what they mean.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use kassa_engine::FileStore;
use kassa_engine::files::{NamedFiles, S3Settings};

use crate::error::Fatal;
use crate::secrets::{NamedSecret, S3_ACCESS_KEY, S3_SECRET_KEY};

/// Flags of whoever opens an installation.
#[derive(Debug, Args)]
pub(crate) struct FilesArguments {
    /// Storage of attachments: a folder, or `s3://<bucket>/<prefix>`; by default `files` in the data folder. The keys of a
    /// bucket are read from `KASSA_S3_ACCESS_KEY` and `KASSA_S3_SECRET_KEY`, or from files.
    #[arg(long, env = "KASSA_FILES", value_name = "PLACE")]
    files: Option<FileStorageLocation>,
    /// Endpoint of the S3 service, if it is not Amazon's.
    #[arg(long, env = "KASSA_S3_ENDPOINT", value_name = "URL")]
    s3_endpoint: Option<String>,
    /// The region of the bucket.
    #[arg(long, env = "KASSA_S3_REGION", value_name = "NAME", default_value = "us-east-1")]
    s3_region: String,
    /// A file with the access key of the bucket.
    #[arg(long, env = "KASSA_S3_ACCESS_KEY_FILE", value_name = "FILE")]
    pub(crate) s3_access_key_file: Option<PathBuf>,
    /// A file with the secret key of the bucket.
    #[arg(long, env = "KASSA_S3_SECRET_KEY_FILE", value_name = "FILE")]
    pub(crate) s3_secret_key_file: Option<PathBuf>,
}

/// A place for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileStorageLocation {
    Folder(PathBuf),
    Bucket { bucket: String, prefix: String },
}

impl FromStr for FileStorageLocation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(place) = text.strip_prefix("s3://") else {
            let foreign = text.contains("://");
            return if foreign {
                Err("it must be a folder or s3://…".to_owned())
            } else {
                Ok(Self::Folder(text.into()))
            };
        };
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        if bucket.is_empty() {
            return Err("the bucket has no name".to_owned());
        }
        Ok(Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.trim_matches('/').to_owned() })
    }
}

/// As it is given.
impl fmt::Display for FileStorageLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { bucket, prefix } if prefix.is_empty() => write!(f, "s3://{bucket}"),
            Self::Bucket { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

impl FilesArguments {
    /// In `files` of the data folder, whatever the environment says.
    pub(crate) fn in_data_folder() -> Self {
        Self {
            files: None,
            s3_endpoint: None,
            s3_region: String::new(),
            s3_access_key_file: None,
            s3_secret_key_file: None,
        }
    }

    /// Whether they are not in the data folder.
    pub(crate) fn are_outside_data_folder(&self) -> bool {
        self.files.is_some()
    }

    /// Opens the place; a folder is made when it is not there.
    pub(crate) fn open(&self, data: &Path) -> Result<FileStore, Fatal> {
        self.open_location(self.files.as_ref().unwrap_or(&FileStorageLocation::Folder(data.join("files"))))
    }

    /// Opens a place at the same service.
    pub(crate) fn open_location(&self, place: &FileStorageLocation) -> Result<FileStore, Fatal> {
        match place {
            FileStorageLocation::Folder(folder) => Ok(FileStore::in_folder(folder)?),
            FileStorageLocation::Bucket { bucket, prefix } => Ok(FileStore::in_bucket(&self.s3(bucket, prefix)?)?),
        }
    }

    /// Opens a bucket at the same service for files with names of their own; a folder is an error.
    pub(crate) fn open_bucket(&self, place: &FileStorageLocation) -> Result<NamedFiles, Fatal> {
        match place {
            FileStorageLocation::Folder(folder) => Err(format!("{}: it is no bucket", folder.display()).into()),
            FileStorageLocation::Bucket { bucket, prefix } => Ok(NamedFiles::in_bucket(&self.s3(bucket, prefix)?)?),
        }
    }

    fn s3(&self, bucket: &str, prefix: &str) -> Result<S3Settings, Fatal> {
        let (access_key, secret_key) = self.bucket_keys()?;
        Ok(S3Settings {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            endpoint: self.s3_endpoint.clone(),
            region: self.s3_region.clone(),
            access_key,
            secret_key,
        })
    }

    /// Whether whatever the place needs was given. Nothing is opened.
    pub(crate) fn check(&self) -> Result<(), Fatal> {
        match self.files {
            Some(FileStorageLocation::Bucket { .. }) => self.bucket_keys().map(drop),
            Some(FileStorageLocation::Folder(_)) | None => Ok(()),
        }
    }

    fn bucket_keys(&self) -> Result<(String, String), Fatal> {
        let access_key = required_key(&S3_ACCESS_KEY, self.s3_access_key_file.as_deref())?;
        Ok((access_key, required_key(&S3_SECRET_KEY, self.s3_secret_key_file.as_deref())?))
    }
}

fn required_key(key: &NamedSecret, file: Option<&Path>) -> Result<String, Fatal> {
    let (variable, name) = (key.variable, key.credential);
    let text = key.read(file)?.ok_or_else(|| {
        format!("files in a bucket need the variable {variable}, --{name}-file or the credential {name}")
    })?;
    if text.trim().is_empty() {
        Err(format!("the key of the bucket that {variable} or --{name}-file gives is empty").into())
    } else {
        Ok(text.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket() {
        let bucket = |bucket: &str, prefix: &str| {
            Ok(FileStorageLocation::Bucket { bucket: bucket.into(), prefix: prefix.into() })
        };
        assert_eq!("/srv/files".parse(), Ok(FileStorageLocation::Folder("/srv/files".into())));
        assert_eq!("s3://tickets".parse(), bucket("tickets", ""));
        assert_eq!("s3://tickets/kassa/eu/".parse(), bucket("tickets", "kassa/eu"));
        for text in ["s3://", "s3:///prefix", "gs://bucket"] {
            assert!(text.parse::<FileStorageLocation>().is_err(), "{text}");
        }
    }
}
