//! `docs/runbooks.md`, taken apart: the commands of each case, by what they are for.

use std::fs;
use std::path::{Path, PathBuf};

/// The commands of a case, each part a script.
#[derive(Debug, Default)]
pub(crate) struct Runbook {
    pub(crate) signs: String,
    pub(crate) measures: String,
    pub(crate) afterwards: String,
    /// Before any of the three.
    pub(crate) names: Vec<String>,
}

/// The folder of the documents.
pub(super) fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Each case of the page, with its lines.
pub(super) fn cases() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(docs().join("runbooks.md")).unwrap();
    let mut cases: Vec<(String, Vec<String>)> = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            cases.push((title.to_owned(), Vec::new()));
        } else if let Some((_, lines)) = cases.last_mut() {
            lines.push(line.to_owned());
        }
    }
    cases
}

impl Runbook {
    /// The case of this title.
    #[track_caller]
    pub(crate) fn of(title: &str) -> Self {
        let (_, lines) = cases().into_iter().find(|(other, _)| other == title).unwrap();
        let mut found = Self::default();
        let (mut part, mut block) = ("", None::<String>);
        for line in &lines {
            if let Some(name) = line.strip_prefix("**").and_then(|line| line.split_once(".**")).map(|(name, _)| name) {
                part = name;
            }
            match (&mut block, line.as_str()) {
                (None, "```sh") => block = Some(String::new()),
                (None, _) => {}
                (Some(_), "```") => found.add(part, block.take().unwrap()),
                (Some(text), line) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        assert!(block.is_none(), "{title}: a block is not closed");
        found
    }

    fn add(&mut self, part: &str, block: String) {
        match part {
            "" => self.names.push(block),
            "Signs" => self.signs.push_str(&block),
            "What to do" => self.measures.push_str(&block),
            "Afterwards" => self.afterwards.push_str(&block),
            other => panic!("{other} is no part of a runbook"),
        }
    }
}
