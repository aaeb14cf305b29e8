//! The places where bytes can lie.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path as Folder;
use std::sync::Arc;
use std::time::Duration;

use kassa_store::system_authorities::{NO_AUTHORITIES, has_authorities};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
#[cfg(feature = "test-support")]
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore};

use super::FileStore;

/// Parts that are written to a disk.
const DISK_PART_BYTES: usize = 256 * 1024;
/// Parts that are sent to a bucket: S3 takes none that are smaller, but the last.
const S3_PART_BYTES: usize = 5 * 1024 * 1024;
/// How long a bucket may be silent. A whole answer may take longer: it waits for slow clients.
const S3_READ_TIMEOUT: Duration = Duration::from_secs(30);

/// A bucket that speaks S3. It has no `Debug`: its secret is never shown.
#[derive(Clone)]
pub struct S3Settings {
    /// The bucket.
    pub bucket: String,
    /// Goes before the name of every file; may be empty.
    pub prefix: String,
    /// Where the service is; `None` for that of Amazon.
    pub endpoint: Option<String>,
    /// The region, as the service calls it.
    pub region: String,
    /// Who asks.
    pub access_key: String,
    /// Its secret.
    pub secret_key: String,
}

/// Why files cannot be kept there.
#[derive(Debug, thiserror::Error)]
pub enum FileStoreError {
    /// The folder cannot be made or used.
    #[error("the folder for files cannot be used: {0}")]
    Folder(String),
    /// The settings of the bucket make no sense.
    #[error("the bucket for files cannot be used: {0}")]
    Bucket(String),
}

impl S3Settings {
    /// The bucket, and what goes before each name in it.
    pub(super) fn open(&self) -> Result<(Arc<dyn ObjectStore>, Path), FileStoreError> {
        let unusable = |error: String| FileStoreError::Bucket(error);
        // Another part of the program may have chosen already: the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let prefix = Path::parse(&self.prefix).map_err(|error| unusable(error.to_string()))?;
        let plain = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http://"));
        if !plain && !has_authorities() {
            return Err(unusable(NO_AUTHORITIES.to_owned()));
        }
        let options =
            ClientOptions::new().with_timeout_disabled().with_read_timeout(S3_READ_TIMEOUT).with_allow_http(plain);
        // None are needed in the clear.
        let options = options.with_no_system_certificates(!has_authorities());
        let mut builder = AmazonS3Builder::new()
            .with_client_options(options)
            .with_bucket_name(&self.bucket)
            .with_region(&self.region)
            .with_access_key_id(&self.access_key)
            .with_secret_access_key(&self.secret_key)
            .with_virtual_hosted_style_request(false);
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        let store = builder.build().map_err(|error| unusable(error.to_string()))?;
        Ok((Arc::new(store), prefix))
    }
}

impl FileStore {
    /// In a folder, which is made when it is not there. What was stored is on the disk. Others do not look into it: a name
    /// of a file is all that it takes to read it.
    pub fn in_folder(folder: &Folder) -> Result<Self, FileStoreError> {
        let unusable = |error: String| FileStoreError::Folder(format!("{}: {error}", folder.display()));
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| unusable(error.to_string()))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| unusable(error.to_string()))?;
        Ok(Self::with_store(Arc::new(store.with_fsync(true)), Path::default(), DISK_PART_BYTES))
    }

    /// In a bucket. Nothing is asked of it yet.
    pub fn in_bucket(s3: &S3Settings) -> Result<Self, FileStoreError> {
        let (store, prefix) = s3.open()?;
        Ok(Self::with_store(store, prefix, S3_PART_BYTES))
    }

    /// In memory: for tests.
    #[cfg(feature = "test-support")]
    pub fn in_memory() -> Self {
        Self::with_store(Arc::new(InMemory::new()), Path::default(), DISK_PART_BYTES)
    }
}
