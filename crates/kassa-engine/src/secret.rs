//! The server's secret and the keys that are derived from it.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use kassa_domain::hex;
use sha2::Sha256;

/// The shortest secret, in bytes.
pub const SECRET_BYTES_MIN: usize = 32;
pub(crate) const NONCE_BYTES: usize = 24;
/// Bytes of a signature: half of what the hash gives, and more than can be guessed.
pub(crate) const SIGNATURE_BYTES: usize = 16;

/// Keys derived from the secret. The secret itself is not kept.
pub struct Secret {
    lookup_key: Hmac<Sha256>,
    signing_key: Hmac<Sha256>,
    sealing_key: XChaCha20Poly1305,
    shop_token_key: Hmac<Sha256>,
    fingerprint: String,
}

/// The secret is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret must have at least {SECRET_BYTES_MIN} bytes")]
pub struct SecretTooShort;

impl Secret {
    /// From any text of at least 32 bytes, blanks at its ends aside.
    pub fn new(text: &str) -> Result<Self, SecretTooShort> {
        let text = text.trim();
        if text.len() < SECRET_BYTES_MIN {
            return Err(SecretTooShort);
        }
        let hkdf = Hkdf::<Sha256>::new(None, text.as_bytes());
        let derive = |purpose: &str| {
            let mut key = [0_u8; 32];
            // 32 bytes are fewer than the 8160 that HKDF-SHA-256 gives at most.
            hkdf.expand(purpose.as_bytes(), &mut key).map(|()| key).map_err(|_| SecretTooShort)
        };
        let lookup = Hmac::new_from_slice(&derive("kassa look-up of tokens")?).map_err(|_| SecretTooShort)?;
        let signature = Hmac::new_from_slice(&derive("kassa signing of tokens")?).map_err(|_| SecretTooShort)?;
        let shop_token = Hmac::new_from_slice(&derive("kassa tokens of shops")?).map_err(|_| SecretTooShort)?;
        let seal = XChaCha20Poly1305::new(&Key::from(derive("kassa sealing of keys")?));
        let fingerprint = hex::encode(&derive("kassa fingerprint")?[..16]);
        Ok(Self {
            lookup_key: lookup,
            signing_key: signature,
            sealing_key: seal,
            shop_token_key: shop_token,
            fingerprint,
        })
    }

    /// Distinguishes secrets without revealing them.
    pub fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    /// The keyed hash under which a token is stored, and looked up. How long a look-up takes may tell how much of a hash
    /// was right; but nobody else can compute one, so that it tells nothing of the token.
    pub fn hash(&self, token: &str) -> [u8; 32] {
        let mut mac = self.lookup_key.clone();
        mac.update(token.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// What shows that this server has written `text`, for `purpose` only.
    pub(crate) fn sign(&self, text: &str, purpose: &str) -> [u8; SIGNATURE_BYTES] {
        let whole = self.signing_mac(text, purpose).finalize().into_bytes();
        std::array::from_fn(|at| whole[at])
    }

    /// Whether `signature` is that of `text` for `purpose`; it takes as long when it is not.
    pub(crate) fn verify_signature(&self, text: &str, purpose: &str, signature: &[u8; SIGNATURE_BYTES]) -> bool {
        self.signing_mac(text, purpose).verify_truncated_left(signature).is_ok()
    }

    fn signing_mac(&self, text: &str, purpose: &str) -> Hmac<Sha256> {
        let mut mac = self.signing_key.clone();
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(text.as_bytes());
        mac
    }

    /// The HMAC-SHA-256 of a JSON Web Token's first two parts, by the key for those of shops.
    pub(crate) fn shop_token_mac(&self, signed: &str) -> Hmac<Sha256> {
        let mut mac = self.shop_token_key.clone();
        mac.update(signed.as_bytes());
        mac
    }

    /// A keyed hash of `parts`, for `purpose` only: who does not know the secret cannot try out what they are.
    pub(crate) fn digest(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.signing_mac("", purpose);
        for part in parts {
            // No byte can be moved from one part to another.
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// `bytes` encrypted, for `purpose` only. `nonce` is random.
    pub fn seal(&self, bytes: &[u8], purpose: &str, nonce: [u8; NONCE_BYTES]) -> Option<Vec<u8>> {
        let payload = Payload { msg: bytes, aad: purpose.as_bytes() };
        let sealed = self.sealing_key.encrypt(&XNonce::from(nonce), payload).ok()?;
        Some(nonce.into_iter().chain(sealed).collect())
    }

    /// What was sealed for `purpose`; `None` when it was not, or not with this secret.
    pub fn open(&self, sealed: &[u8], purpose: &str) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: sealed, aad: purpose.as_bytes() };
        self.sealing_key.decrypt(&XNonce::from(*nonce), payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_with_the_same_secret_and_purpose_only() {
        let secret = Secret::new("a secret that is long enough for it").unwrap();
        let other = Secret::new("another secret that is long enough").unwrap();
        let sealed = secret.seal(b"token", "key", [7; NONCE_BYTES]).unwrap();
        assert_eq!(secret.open(&sealed, "key").as_deref(), Some(b"token".as_slice()));
        assert_eq!(secret.open(&sealed, "session"), None);
        assert_eq!(other.open(&sealed, "key"), None);
        assert_ne!(secret.hash("token"), other.hash("token"));
        assert_ne!(secret.fingerprint(), other.fingerprint());
    }

    #[test]
    fn a_signature_is_of_one_text_one_purpose_and_one_secret() {
        let secret = Secret::new("a secret that is long enough for it").unwrap();
        let other = Secret::new("another secret that is long enough").unwrap();
        let signature = secret.sign("text", "mail");
        assert!(secret.verify_signature("text", "mail", &signature));
        assert!(!secret.verify_signature("texts", "mail", &signature));
        assert!(!secret.verify_signature("text", "key", &signature));
        assert!(!other.verify_signature("text", "mail", &signature));
    }

    #[test]
    fn a_digest_is_of_its_parts_its_purpose_and_one_secret() {
        let secret = Secret::new("a secret that is long enough for it").unwrap();
        let other = Secret::new("another secret that is long enough").unwrap();
        let digest = secret.digest("request", &[b"ab", b"c"]);
        assert_eq!(digest, secret.digest("request", &[b"ab", b"c"]));
        assert_ne!(digest, secret.digest("request", &[b"a", b"bc"]));
        assert_ne!(digest, secret.digest("key", &[b"ab", b"c"]));
        assert_ne!(digest, other.digest("request", &[b"ab", b"c"]));
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert_eq!(Secret::new("  short  ").err(), Some(SecretTooShort));
    }
}
