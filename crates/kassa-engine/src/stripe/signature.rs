//! Signatures of Stripe's notices: whoever has the secret of the endpoint has sent them, and lately.

use hmac::{Hmac, KeyInit as _, Mac as _};
use kassa_domain::{Timestamp, hex};
use sha2::Sha256;

/// How far the time of a notice may be from ours.
const TOLERANCE_S: u64 = 300;
/// Signatures of one notice that are looked at: while a secret is being replaced there are two.
const SIGNATURES_MAX: usize = 16;

/// Why a notice is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoticeFault {
    /// There is no header, or not the header that it should be.
    #[error("Stripe-Signature must have a time and a signature, as t=1772366400,v1=5257a869…")]
    Malformed,
    /// It was sent at another time.
    #[error("The notice is too old, or from the future: 5 minutes are allowed")]
    Stale,
    /// It was signed with another secret, or is no notice at all.
    #[error("The notice was not signed with the secret of this endpoint")]
    Unsigned,
}

/// Whether `body` was signed with `secret`, as the header `Stripe-Signature` says, at about this time.
pub fn verify_notice(header: &str, body: &[u8], secret: &str, now: Timestamp) -> Result<(), NoticeFault> {
    let (mut sent_at, mut signatures) = (None, Vec::new());
    for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
        match name {
            "t" => sent_at = Some(value),
            "v1" if signatures.len() < SIGNATURES_MAX => signatures.extend(hex::decode(value)),
            _ => {}
        }
    }
    let sent_at = sent_at.filter(|_| !signatures.is_empty()).ok_or(NoticeFault::Malformed)?;
    let seconds: i64 = sent_at.parse().map_err(|_| NoticeFault::Malformed)?;
    if now.ms().div_euclid(1_000).abs_diff(seconds) > TOLERANCE_S {
        return Err(NoticeFault::Stale);
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|_| NoticeFault::Unsigned)?;
    mac.update(sent_at.as_bytes());
    mac.update(b".");
    mac.update(body);
    let is_signed = signatures.iter().any(|signature| mac.clone().verify_slice(signature).is_ok());
    if is_signed { Ok(()) } else { Err(NoticeFault::Unsigned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_test_secret";
    const BODY: &[u8] = br#"{"id": "evt_test"}"#;
    const NOW: Timestamp = Timestamp::from_ms(1_772_366_400_000);

    fn signature(sent_at: i64, secret: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{sent_at}.").as_bytes());
        mac.update(BODY);
        hex::encode(&mac.finalize().into_bytes())
    }

    fn verify(header: &str) -> Result<(), NoticeFault> {
        verify_notice(header, BODY, SECRET, NOW)
    }

    #[test]
    fn a_notice_is_believed_that_one_of_its_signatures_proves() {
        let (right, wrong) = (signature(1_772_366_400, SECRET), signature(1_772_366_400, "whsec_other"));
        assert_eq!(verify(&format!("t=1772366400,v1={right}")), Ok(()));
        assert_eq!(verify(&format!("t=1772366400,v1={wrong},v1={right},v0=00")), Ok(()));
        assert_eq!(verify(&format!("t=1772366400,v1={wrong}")), Err(NoticeFault::Unsigned));
        assert_eq!(verify(&format!("t=1772366401,v1={right}")), Err(NoticeFault::Unsigned), "the time is signed, too");
        assert_eq!(verify(&format!("t=1772366400,v0={right}")), Err(NoticeFault::Malformed), "v1 is what counts");
        assert_eq!(verify_notice(&format!("t=1772366400,v1={right}"), b"{}", SECRET, NOW), Err(NoticeFault::Unsigned));
        for malformed in ["", "t=1772366400", "v1=00", "t=soon,v1=00", "t=1772366400,v1=no", "nonsense"] {
            assert_eq!(verify(malformed), Err(NoticeFault::Malformed), "{malformed}");
        }
    }

    #[test]
    fn a_notice_is_believed_for_five_minutes() {
        for (seconds, expected) in
            [(-300, Ok(())), (300, Ok(())), (-301, Err(NoticeFault::Stale)), (301, Err(NoticeFault::Stale))]
        {
            let sent_at = 1_772_366_400 + seconds;
            let header = format!("t={sent_at},v1={}", signature(sent_at, SECRET));
            assert_eq!(verify(&header), expected, "{seconds}");
        }
    }
}
