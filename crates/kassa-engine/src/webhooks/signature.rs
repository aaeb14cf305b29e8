//! Signatures of what is sent, as Standard Webhooks has them: whoever has the secret of the endpoint can tell that a
//! request is ours, and when it was sent.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// What secrets begin with, as their owners see them.
const PREFIX: &str = "whsec_";
/// Bytes of the secrets that are made here.
pub(crate) const SECRET_BYTES: usize = 32;

/// The secret of an endpoint. It has no `Debug` that shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    /// From its bytes.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The signature of a body that is sent under an id, at a time in seconds since 1970: `v1,` and base64.
    fn sign(&self, id: &str, sent_at: i64, body: &[u8]) -> Option<String> {
        // HMAC takes keys of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(format!("{id}.{sent_at}.").as_bytes());
        mac.update(body);
        Some(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
    }
}

/// As its owner sees it: `whsec_` and base64.
impl fmt::Display for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", BASE64_STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret")
    }
}

/// The signatures by all secrets that hold, the newest first, with blanks between them: the value of the header
/// `webhook-signature`. While a secret is being replaced, receivers accept what either of them has signed.
pub(crate) fn sign_with_all(secrets: &[WebhookSecret], id: &str, sent_at: i64, body: &[u8]) -> String {
    let signatures: Vec<String> = secrets.iter().filter_map(|secret| secret.sign(id, sent_at, body)).collect();
    signatures.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard's own libraries.
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const SENT_AT: i64 = 1_614_265_330;
    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    fn secret(base64: &str) -> WebhookSecret {
        WebhookSecret::new(BASE64_STANDARD.decode(base64).unwrap())
    }

    #[test]
    fn a_signature_is_that_of_the_standard() {
        let secret = secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signed = sign_with_all(std::slice::from_ref(&secret), ID, SENT_AT, BODY);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        for (id, sent_at, body) in
            [("msg_other", SENT_AT, BODY), (ID, SENT_AT + 1, BODY), (ID, SENT_AT, b"{}".as_slice())]
        {
            assert_ne!(sign_with_all(std::slice::from_ref(&secret), id, sent_at, body), signed);
        }
    }

    #[test]
    fn each_secret_that_holds_signs() {
        let (new, old) = (WebhookSecret::new(vec![7; SECRET_BYTES]), secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
        let signed = sign_with_all(&[new.clone(), old], ID, SENT_AT, BODY);
        let both: Vec<&str> = signed.split(' ').collect();
        assert_eq!(both, [&new.sign(ID, SENT_AT, BODY).unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="]);
    }

    #[test]
    fn a_secret_is_shown_as_the_standard_has_it_and_not_logged() {
        let secret = WebhookSecret::new(vec![0; SECRET_BYTES]);
        assert_eq!(secret.to_string(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        assert_eq!(format!("{secret:?}"), "WebhookSecret");
    }
}
