//! The demo's folder: an ordinary data folder with `demo.json` in it, which says whose it is and what
//! to show. It is empty until the folder is filled.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use kassa_domain::api_key::ApiKeyId;
use serde::{Deserialize, Serialize};

use crate::error::Fatal;

const MARKER_FILE: &str = "demo.json";

/// What is shown of a demo.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DemoManifest {
    /// An organizer.
    pub(super) organizer: PartnerLogin,
    /// An agent that sells for it.
    pub(super) agent: PartnerLogin,
    /// Everybody else.
    pub(super) others: Vec<PartnerLogin>,
    /// An event that the agent sells.
    pub(super) event: String,
    /// A set of it.
    pub(super) set: String,
    /// An event with numbered seats that the agent sells.
    pub(super) seated_event: String,
    /// A set of these.
    pub(super) seated_set: String,
}

/// A partner, and how to act for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartnerLogin {
    /// The partner's name.
    pub(super) name: String,
    /// What it does.
    pub(super) role: String,
    /// The e-mail of its user.
    pub(super) email: String,
    /// Its API key; the database has the secret.
    pub(super) key: ApiKeyId,
}

/// The demo in a folder; `None` where one can be made. A folder of something else is refused.
pub(super) fn read_manifest(data: &Path) -> Result<Option<DemoManifest>, Fatal> {
    let shown = data.display();
    match fs::read_to_string(data.join(MARKER_FILE)) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|_| {
            let text = "was never finished, or its demo.json is broken: delete the folder to start anew";
            format!("the demo in {shown} {text}").into()
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && data.join("kassa.db").exists() => {
            Err(format!("{shown} holds data of Kassa that is no demo: choose an empty folder with --data").into())
        }
        // What else may lie there is looked at when the folder is opened.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("the demo in {shown}: {error}").into()),
    }
}

/// Marks a folder as a demo's that is being filled.
pub(super) fn mark_incomplete(data: &Path) -> io::Result<()> {
    File::create_new(data.join(MARKER_FILE)).map(drop)
}

/// Marks a folder as filled.
pub(super) fn write_manifest(data: &Path, demo: &DemoManifest) -> io::Result<()> {
    let draft = data.join("demo.new");
    let mut file = File::create(&draft)?;
    writeln!(file, "{}", serde_json::to_string_pretty(demo)?)?;
    file.sync_all()?;
    fs::rename(&draft, data.join(MARKER_FILE))
}
