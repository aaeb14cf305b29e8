//! What every place for files does: a test is given an empty one.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

use bytes::Bytes;
use futures_util::StreamExt;
use kassa_domain::attachment::Hex128;
use kassa_engine::files::StoredFile;
use kassa_engine::{Failure, FileStore};

const TOKEN: Hex128 = Hex128([0xab; 16]);
/// More than a part of any place.
const LONG: usize = 11 * 1024 * 1024 + 3;

/// Runs a test on every place that needs nothing outside of the process. The variable
/// `KASSA_TEST_FILES_S3` can name a bucket, as `http://127.0.0.1:9000/bucket`, with the keys in
/// `KASSA_S3_ACCESS_KEY` and `KASSA_S3_SECRET_KEY`.
async fn on_every_backend(test: impl AsyncFn(FileStore)) {
    test(FileStore::in_memory()).await;
    let folder = tempfile::tempdir().unwrap();
    test(FileStore::in_folder(&folder.path().join("files")).unwrap()).await;
    if let Ok(address) = std::env::var("KASSA_TEST_FILES_S3") {
        let (endpoint, bucket) = address.rsplit_once('/').unwrap();
        let key = |name: &str| std::env::var(name).unwrap();
        let bucket = kassa_engine::files::S3Settings {
            bucket: bucket.to_owned(),
            // Tests run side by side, and in one bucket.
            prefix: format!("test/{}", folder.path().file_name().unwrap().to_str().unwrap()),
            endpoint: Some(endpoint.to_owned()),
            region: "us-east-1".to_owned(),
            access_key: key("KASSA_S3_ACCESS_KEY"),
            secret_key: key("KASSA_S3_SECRET_KEY"),
        };
        test(FileStore::in_bucket(&bucket).unwrap()).await;
    }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..=250_u8).cycle().take(length).collect()
}

async fn store(files: &FileStore, bytes: &[u8]) -> StoredFile {
    let mut upload = files.begin(TOKEN, None).unwrap();
    for piece in bytes.chunks(100_003) {
        upload.write(Bytes::copy_from_slice(piece)).await.unwrap();
    }
    upload.finish().await.unwrap()
}

async fn read(files: &FileStore, length: u64, range: std::ops::Range<u64>) -> Result<Vec<u8>, Failure> {
    let mut pieces = files.read(TOKEN, length, range).await?;
    let mut whole = Vec::new();
    while let Some(piece) = pieces.next().await {
        whole.extend(piece?);
    }
    Ok(whole)
}

#[tokio::test]
async fn bytes_come_back_as_they_were_whole_and_in_part() {
    on_every_backend(async |files| {
        for length in [1, 256 * 1024, 10 * 1024 * 1024, LONG] {
            let bytes = bytes(length);
            let stored = store(&files, &bytes).await;
            assert_eq!(stored.length, length as u64);
            assert!(read(&files, stored.length, 0..stored.length).await.unwrap() == bytes, "{length}");
            let half = stored.length / 2..stored.length;
            assert!(read(&files, stored.length, half).await.unwrap() == bytes[length / 2..], "{length}");
        }
        files.discard(TOKEN).await;
    })
    .await;
}

#[tokio::test]
async fn aborted_and_discarded_uploads_leave_nothing() {
    on_every_backend(async |files| {
        let mut upload = files.begin(TOKEN, None).unwrap();
        upload.write(bytes(LONG).into()).await.unwrap();
        upload.abort().await;
        assert!(matches!(read(&files, LONG as u64, 0..9).await, Err(Failure::Internal(_))));
        let stored = store(&files, b"abc").await;
        assert_eq!(stored.md5.to_string(), "900150983cd24fb0d6963f7d28e17f72");
        files.discard(TOKEN).await;
        assert!(matches!(read(&files, 3, 0..3).await, Err(Failure::Internal(_))));
    })
    .await;
}

#[tokio::test]
async fn a_file_of_another_length_than_its_row_says_is_not_served() {
    on_every_backend(async |files| {
        let stored = store(&files, b"abc").await;
        assert!(matches!(read(&files, stored.length + 1, 0..1).await, Err(Failure::Internal(_))));
        files.discard(TOKEN).await;
    })
    .await;
}

#[tokio::test]
async fn uploads_are_limited_and_free_their_slot() {
    let files = FileStore::in_memory();
    let mut uploads: Vec<_> = std::iter::from_fn(|| files.begin(TOKEN, None).ok()).collect();
    assert!(uploads.len() >= 8, "{} at a time are few", uploads.len());
    uploads.pop();
    assert!(files.begin(TOKEN, None).is_ok());
}
