//! An image for containers, from nothing: the static program, whom to trust, and a user without rights.
//!
//! An archive of an image is a tar archive of JSON documents that name each other by their digests (OCI image layout),
//! so that neither a daemon nor rights are needed to make one. `manifest.json` beside them is for programs that load
//! only the older form.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::files::{Files, gzipped, hexadecimal};
use super::{Failure, Parts};

/// The user that the server runs as: a number that no system gives to people.
const USER: u64 = 65_532;
/// How often the server is asked whether it is ready, and how long it may take to start, in nanoseconds.
const HEALTH_INTERVAL: u64 = 15_000_000_000;
const HEALTH_START: u64 = 60_000_000_000;

pub(super) fn make(parts: &Parts, into: &Path, certificates: &Path) -> Result<PathBuf, Failure> {
    let (release, program) = (&parts.release, &parts.program);
    let target = program.target();
    if !target.is_static() {
        return Err(format!("an image has no C library: {} is not static", target.triple()).into());
    }
    let trusted = fs::read(certificates).map_err(|error| format!("{}: {error}", certificates.display()))?;
    let layer = layer(parts, trusted).write_tar(release.time, Vec::new())?;
    let packed = gzipped(&layer)?;
    let version = release.version.replace('~', "-");
    let mut blobs = Blobs::default();
    let layer_blob = blobs.add("application/vnd.oci.image.layer.v1.tar+gzip", packed);
    let config = config(parts, &version, &digest(&layer));
    let config_blob = blobs.add("application/vnd.oci.image.config.v1+json", config.to_string().into_bytes());
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config_blob,
        "layers": [layer_blob],
    });
    let mut manifest_blob = blobs.add("application/vnd.oci.image.manifest.v1+json", manifest.to_string().into_bytes());
    manifest_blob["annotations"] = json!({"org.opencontainers.image.ref.name": version});
    manifest_blob["platform"] = json!({"architecture": target.architecture(), "os": "linux"});
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest_blob],
    });
    let older = json!([{
        "Config": blob_path(&config_blob),
        "RepoTags": [format!("kassa:{version}")],
        "Layers": [blob_path(&layer_blob)],
    }]);
    let mut files = Files::default();
    files.add("oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#);
    files.add("index.json", index.to_string());
    files.add("manifest.json", older.to_string());
    for (path, bytes) in blobs.0 {
        files.add(&path, bytes);
    }
    let place = into.join(format!("kassa-{version}-{}.oci.tar", target.machine()));
    fs::write(&place, files.write_tar(release.time, Vec::new())?)?;
    Ok(place)
}

/// All files of the image.
fn layer(parts: &Parts, certificates: Vec<u8>) -> Files {
    let mut files = Files::default();
    files.add_program("usr/bin/kassa", parts.program.bytes.clone());
    files.add("etc/ssl/certs/ca-certificates.crt", certificates);
    files.add("etc/passwd", format!("root:x:0:0::/:/none\nkassa:x:{USER}:{USER}::/var/lib/kassa:/none\n"));
    files.add("etc/group", format!("root:x:0:\nkassa:x:{USER}:\n"));
    files.add_folder("var/lib/kassa", 0o700, USER);
    // A volume that is mounted here begins with the owner of the folder below it.
    files.add_folder("tmp", 0o1777, 0);
    parts.shared.add_terms_to(&mut files, "usr");
    files
}

/// How it is run.
fn config(parts: &Parts, version: &str, layer: &str) -> Value {
    let release = &parts.release;
    json!({
        "architecture": parts.program.target().architecture(),
        "os": "linux",
        "created": release.timestamp,
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": {"8080/tcp": {}},
            "Env": [
                "PATH=/usr/bin",
                "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
                "KASSA_DATA=/var/lib/kassa",
                "KASSA_LISTEN=0.0.0.0:8080",
                "KASSA_OPS_LISTEN=0.0.0.0:8081",
            ],
            "Entrypoint": ["/usr/bin/kassa"],
            "Cmd": ["serve"],
            "Volumes": {"/var/lib/kassa": {}},
            "WorkingDir": "/var/lib/kassa",
            "StopSignal": "SIGTERM",
            // No part of the format of OCI, which lets others add to it.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/kassa", "health"],
                "Interval": HEALTH_INTERVAL,
                "StartPeriod": HEALTH_START,
                "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "Kassa",
                "org.opencontainers.image.description": "Ticket sales in one program",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.revision": release.commit,
                "org.opencontainers.image.licenses": "AGPL-3.0-or-later",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [layer]},
        "history": [{"created": release.timestamp, "created_by": "cargo run -p xtask -- package image"}],
    })
}

/// Blobs by their paths.
#[derive(Default)]
struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// Adds one, and gives what others say of it.
    fn add(&mut self, media_type: &str, bytes: Vec<u8>) -> Value {
        let descriptor = json!({"mediaType": media_type, "digest": digest(&bytes), "size": bytes.len()});
        self.0.insert(blob_path(&descriptor), bytes);
        descriptor
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hexadecimal(&Sha256::digest(bytes)))
}

fn blob_path(descriptor: &Value) -> String {
    format!("blobs/{}", descriptor["digest"].as_str().unwrap_or_default().replace(':', "/"))
}
