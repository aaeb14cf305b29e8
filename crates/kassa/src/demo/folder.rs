//! The demo's folder: an ordinary data folder with `demo.json` in it, which says whose it is and what
//! to show. It is empty until the folder is filled.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use kassa_domain::key::KeyId;
use serde::{Deserialize, Serialize};

use crate::installation::Fatal;

const MARK: &str = "demo.json";

/// What is shown of a demo.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Demo {
    /// An organizer.
    pub(super) organizer: Login,
    /// An agent that sells for it.
    pub(super) agent: Login,
    /// Everybody else.
    pub(super) others: Vec<Login>,
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
pub(super) struct Login {
    /// The partner's name.
    pub(super) name: String,
    /// What it does.
    pub(super) role: String,
    /// The e-mail of its user.
    pub(super) email: String,
    /// Its API key; the database has the secret.
    pub(super) key: KeyId,
}

/// The demo in a folder; `None` where one can be made. A folder of something else is refused.
pub(super) fn look(data: &Path) -> Result<Option<Demo>, Fatal> {
    let shown = data.display();
    match fs::read_to_string(data.join(MARK)) {
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
pub(super) fn begin(data: &Path) -> io::Result<()> {
    File::create_new(data.join(MARK)).map(drop)
}

/// Marks a folder as filled.
pub(super) fn finish(data: &Path, demo: &Demo) -> io::Result<()> {
    let draft = data.join("demo.new");
    let mut file = File::create(&draft)?;
    writeln!(file, "{}", serde_json::to_string_pretty(demo)?)?;
    file.sync_all()?;
    fs::rename(&draft, data.join(MARK))
}
