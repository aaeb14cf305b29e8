//! Until when a certificate is good.

use std::path::Path;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::TlsFilesError;

/// Kinds of values in a certificate (X.690).
const SEQUENCE: u8 = 0x30;
const EXPLICIT_VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// When the first certificate in a file ends, in seconds since 1970.
pub fn certificate_end(file: &Path) -> Result<i64, TlsFilesError> {
    let certificate = CertificateDer::from_pem_file(file)
        .map_err(|error| TlsFilesError::Malformed { file: file.to_owned(), error })?;
    end_of(&certificate).ok_or_else(|| TlsFilesError::NoCertificate(file.to_owned()))
}

/// `Certificate ::= { TBSCertificate ::= { [version], serial, algorithm, issuer, { begin, end }, … }, … }` (RFC 5280).
fn end_of(certificate: &[u8]) -> Option<i64> {
    let (_, certificate, _) = value(certificate)?;
    let (_, mut rest, _) = value(certificate)?;
    if let Some((EXPLICIT_VERSION, _, behind)) = value(rest) {
        rest = behind;
    }
    for _ in ["serial", "algorithm", "issuer"] {
        (_, _, rest) = value(rest)?;
    }
    let (kind, validity, _) = value(rest)?;
    let (_, _, rest) = value(validity)?;
    let (time_kind, time, _) = value(rest)?;
    (kind == SEQUENCE).then(|| time_of(time_kind, time)).flatten()
}

/// The kind of the first value, its content, and what is behind it.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (kind, bytes) = bytes.split_first()?;
    let (first, bytes) = bytes.split_first()?;
    let (length, bytes) = if *first < 0x80 {
        (usize::from(*first), bytes)
    } else {
        let (digits, bytes) = bytes.split_at_checked(usize::from(first & 0x7f))?;
        let add = |length: usize, digit: &u8| length.checked_mul(256)?.checked_add((*digit).into());
        (digits.iter().try_fold(0, add)?, bytes)
    };
    let (content, rest) = bytes.split_at_checked(length)?;
    Some((*kind, content, rest))
}

/// `YYMMDDHHMMSSZ`, of the years from 1950 to 2049, or `YYYYMMDDHHMMSSZ`.
fn time_of(kind: u8, text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let text = match kind {
        UTC_TIME if text.get(..2)? < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let time = jiff::civil::DateTime::strptime("%Y%m%d%H%M%S", text).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_say_when_they_end() {
        let folder = tempfile::tempdir().unwrap();
        for (year, end) in [(2031, 1_924_992_000), (2060, 2_840_140_800)] {
            let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
            params.not_after = rcgen::date_time_ymd(year, 1, 1);
            let key = rcgen::KeyPair::generate().unwrap();
            let file = folder.path().join("cert.pem");
            std::fs::write(&file, params.self_signed(&key).unwrap().pem()).unwrap();
            assert_eq!(certificate_end(&file).unwrap(), end, "{year}");
        }
        let none = folder.path().join("none.pem");
        std::fs::write(&none, "nothing").unwrap();
        assert!(certificate_end(&none).unwrap_err().to_string().contains("none.pem"));
        for broken in [&b""[..], b"\x30", b"\x30\x84\xff\xff\xff\xff", b"\x30\x03\x30\x05\x02"] {
            assert_eq!(end_of(broken), None);
        }
    }
}
