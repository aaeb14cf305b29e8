//! URLs given by flags.

use url::Url;

/// Reads a URL that must be `http` or `https`.
pub(crate) fn parse_http_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if matches!(url.scheme(), "http" | "https") { Ok(url) } else { Err("it must be http or https".to_owned()) }
}
