//! Flags of traces.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use kassa_engine::traces::{TraceExport, TraceSettings};
use url::Url;

use crate::error::Fatal;
use crate::http_url::parse_http_url;

/// Flags of traces.
#[derive(Clone, Debug, Args)]
pub(crate) struct TraceArguments {
    /// Sends traces of some requests to a collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`: to `/v1/traces`
    /// there.
    #[arg(id = "traces_to", long = "traces-to", env = "KASSA_TRACES_TO", value_name = "URL", value_parser = parse_http_url)]
    to: Option<Url>,
    /// The share of requests that are traced, from 0 to 1, besides up to 100 a second whose clients send a `traceparent` that
    /// asks for it.
    #[arg(id = "traces_share", long = "traces-share", env = "KASSA_TRACES_SHARE", value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    share: f64,
    /// A file with headers for the collector, such as a credential: a line `name: value` for each.
    #[arg(
        id = "traces_headers_file",
        long = "traces-headers-file",
        env = "KASSA_TRACES_HEADERS_FILE",
        value_name = "FILE"
    )]
    headers_file: Option<PathBuf>,
}

fn parse_share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "it must be from 0 to 1".to_owned())
}

impl TraceArguments {
    /// Where traces go, and which, if any do.
    pub(crate) fn settings(&self) -> Result<Option<TraceSettings>, Fatal> {
        let headers = self.headers_file.as_deref().map_or_else(|| Ok(HashMap::new()), read_headers)?;
        let settings = |to: &Url| TraceSettings { collector: to.to_string(), share: self.share, headers };
        Ok(self.to.as_ref().map(settings))
    }

    /// Traces from now on, if anything is to be traced.
    pub(crate) fn start(&self) -> Result<Option<TraceExport>, Fatal> {
        let Some(settings) = self.settings()? else { return Ok(None) };
        Ok(Some(TraceExport::start(settings).map_err(|error| format!("--traces-to: {error}"))?))
    }
}

/// Values are secrets, and in no message.
fn read_headers(file: &Path) -> Result<HashMap<String, String>, Fatal> {
    let named = |reason: &str| format!("--traces-headers-file {}: {reason}", file.display());
    let text = fs::read_to_string(file).map_err(|error| named(&error.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let headers = lines.enumerate().map(|(at, line)| {
        let header = line.split_once(':').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        header.ok_or_else(|| named(&format!("line {} is no \"name: value\"", at + 1)).into())
    });
    headers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_lines_with_a_name_and_a_value() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "Authorization: Bearer a:b\n\n x-team : sales \n").unwrap();
        let expected = [("Authorization", "Bearer a:b"), ("x-team", "sales")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(read_headers(file.path()).unwrap(), expected);
        fs::write(file.path(), "x: y\nhush").unwrap();
        let error = read_headers(file.path()).unwrap_err().to_string();
        assert!(error.ends_with("line 2 is no \"name: value\"") && !error.contains("hush"), "{error}");
    }

    #[test]
    fn a_share_is_from_0_to_1() {
        assert_eq!((parse_share("0"), parse_share("0.25"), parse_share("1")), (Ok(0.0), Ok(0.25), Ok(1.0)));
        for text in ["", "-0.1", "1.1", "NaN", "all", "1%"] {
            assert!(parse_share(text).is_err(), "{text}");
        }
    }
}
