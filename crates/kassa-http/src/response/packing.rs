//! Which answers are packed, and for whom.

use axum::http::{HeaderMap, HeaderValue, header};

/// Bytes from which an answer is compressed for a client that asks for it: what fits one packet is as
/// fast without.
pub(crate) const COMPRESSION_BYTES_MIN: u64 = 1_400;
pub(crate) const VARY_BY_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// Whether the client takes gzip (RFC 9110, section 12.5.3).
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let (mut gzip, mut any) = (None, None);
    for coding in values.flat_map(|value| value.split(',')) {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches(['q', 'Q']).trim_start().trim_start_matches('=');
        let is_taken = weight.trim().parse::<f32>() != Ok(0.0);
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => gzip = Some(is_taken),
            "*" => any = Some(is_taken),
            _ => {}
        }
    }
    gzip.or(any).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_by_whoever_does_not_refuse_it() {
        for (value, is_taken) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5", true),
            ("*", true),
            ("br, *;q=0.1", true),
            ("identity;q=0, gzip", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0, *", false),
            ("*;q=0", false),
            ("identity;q=0", false),
            ("br", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]);
            assert_eq!(accepts_gzip(&headers), is_taken, "{value:?}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
