//! Requests that are decided once, however often they are sent: under a key of the caller, the response is stored in the
//! transaction of its command.
//!
//! Two nodes that get the same request at the same time meet at the row of the response: the second one finds it, or
//! breaks the table's constraint, decides once more, and finds it then.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use kassa_domain::context::RandomBits;
use kassa_domain::idempotency::{
    self, IdempotencyRecord, IdempotencyRecordKey, KeyedHash, LARGE_ANSWER_BYTES, SaveIdempotencyRecord,
};
use kassa_domain::partner::PartnerId;
use kassa_domain::quota::Quotas;
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::{Actor, ReadSet, Refusal, ShardTag, Timestamp, View, hex};

use crate::failure::Failure;
use crate::kept_answers::KeptAnswers;
use crate::secret::{NONCE_BYTES, Secret};
use crate::tenant::Tenant;

/// From so many bytes on, a response is compressed: what is shorter than that counts against no quota, and compressing it
/// would take longer than writing it.
const COMPRESSED_FROM_BYTES: usize = LARGE_ANSWER_BYTES;
/// How compressed bytes begin.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Converts responses to bytes that can be stored, and back.
#[derive(Clone, Copy, Debug)]
pub struct ResponseCodec {
    /// The bytes of a response, which begin as JSON does; `None` if it cannot be stored.
    pub encode: fn(&dyn Any) -> Option<Vec<u8>>,
    /// A response of the type that `encode` takes, from a stored one; `None` if it cannot be read.
    pub decode: fn(SavedResponse) -> Option<Box<dyn Any>>,
}

/// A request under an idempotency key.
pub struct IdempotentRequest {
    key: IdempotencyRecordKey,
    request_digest: KeyedHash,
    /// Whether clients get the response as the command renders it.
    is_final: bool,
    codec: ResponseCodec,
    secret: Arc<Secret>,
    /// The partner whose quota a large response counts against.
    owner: Option<PartnerId>,
    tenant: Tenant,
    /// The bytes of the response that the last attempt of its command would store.
    recorded_bytes: AtomicUsize,
    /// When that was.
    recorded_at_ms: AtomicI64,
    kept: Arc<KeptAnswers>,
    /// Whether the response was stored in the transaction of its command.
    is_recorded: AtomicBool,
}

/// A stored response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResponse {
    /// As [`ResponseCodec::encode`] made them.
    pub bytes: Vec<u8>,
    /// Whether clients get it as it is.
    pub is_final: bool,
}

/// What is stored under an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdempotencyMatch {
    /// The response to the same request.
    SameRequest(SavedResponse),
    /// The response to another request.
    DifferentRequest,
}

impl fmt::Debug for IdempotentRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotentRequest").field("key", &self.key).finish_non_exhaustive()
    }
}

impl IdempotentRequest {
    /// A request of `actor`, who calls it `name`. `event` is the tag of the event whose command it is, if it is one;
    /// `request` distinguishes it from other requests of that name. `None` for an actor without a credential.
    pub(crate) fn new(
        (secret, kept): (&Arc<Secret>, Arc<KeptAnswers>),
        actor: &Actor,
        event: Option<ShardTag>,
        name: &str,
        request: &[&[u8]],
        is_final: bool,
        codec: ResponseCodec,
    ) -> Option<Self> {
        let (identity, own_tag) = match actor {
            Actor::Partner(partner) => (format!("partner {partner}"), partner.tag()),
            // The partner that a user acts for is a part of its identity.
            Actor::User(user) => (format!("user {} {:?}", user.user, user.acting_for), user.user.tag()),
            // Visitors are not told apart: their keys are too long to be guessed, as the interface sees to.
            Actor::Visitor(visit) => (format!("visitor {}", visit.shop), visit.shop.tag()),
            Actor::Buyer(order) => (format!("buyer {order}"), order.tag()),
            Actor::Anonymous | Actor::Operator | Actor::System => return None,
        };
        let scope = event.map_or_else(String::new, |tag| tag.to_i64().to_string());
        let digest = secret.digest("idempotency key", &[identity.as_bytes(), scope.as_bytes(), name.as_bytes()]);
        Some(Self {
            key: IdempotencyRecordKey { tag: event.unwrap_or(own_tag), digest },
            // A request may hold a password: whoever has only the database cannot try out passwords.
            request_digest: secret.digest("idempotent request", request),
            is_final,
            codec,
            secret: Arc::clone(secret),
            // A user who manages several and has chosen none: the choice is the same each time.
            owner: actor.acting_partner().ok().or_else(|| actor.acting_partners().into_iter().min()),
            tenant: Tenant::from(actor),
            recorded_bytes: AtomicUsize::new(0),
            recorded_at_ms: AtomicI64::new(0),
            kept,
            is_recorded: AtomicBool::new(false),
        })
    }

    /// On whose account its response is stored.
    pub(crate) fn tenant(&self) -> Tenant {
        self.tenant
    }

    /// The key of its idempotency record.
    pub fn key(&self) -> IdempotencyRecordKey {
        self.key
    }

    /// Whether clients get the response as the command renders it.
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Whether the response was stored in the transaction of its command.
    pub fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Acquire)
    }

    pub(crate) fn set_recorded(&self) {
        let at = Timestamp::from_ms(self.recorded_at_ms.load(Ordering::Acquire));
        self.kept.record(self.tenant, self.recorded_bytes.load(Ordering::Acquire), at);
        self.is_recorded.store(true, Ordering::Release);
    }

    pub(crate) fn read_set(&self, read_set: &mut ReadSet) {
        read_set.idempotency_records.push(self.key);
        if !self.is_final {
            read_set.partners_to_read.extend(self.owner);
        }
    }

    /// Refuses a request before it is decided, if the response will be rendered once more, may be large then, and its
    /// partner has no room for it.
    pub(crate) fn check_room(&self, quotas: &Quotas, view: &View) -> Result<(), Refusal> {
        self.owner
            .filter(|_| !self.is_final)
            .map_or(Ok(()), |owner| idempotency::check_answer_room(owner, quotas, view))
    }

    /// The stored response, if the request was answered before.
    pub(crate) fn replay<R: 'static>(&self, view: &View, now: Timestamp) -> Option<Result<R, Failure>> {
        let record = view.idempotency_records.get(self.key).filter(|record| !record.is_expired(now))?;
        if !safeguard::is_enabled(Safeguard::IdempotencyCheck) {
            return None;
        }
        Some(match self.open(record) {
            Ok(IdempotencyMatch::SameRequest(saved)) => self.decode(saved),
            Ok(IdempotencyMatch::DifferentRequest) => Err(Refusal::IdempotencyKeyReused.into()),
            Err(failure) => Err(failure),
        })
    }

    /// Stores a response in the transaction of its command. If there is no room for it, the command is refused.
    pub(crate) fn record(
        &self,
        response: &dyn Any,
        (now, quotas): (Timestamp, &Quotas),
        random: &mut dyn RandomBits,
        view: &mut View,
    ) -> Result<(), Failure> {
        let nonce = std::array::from_fn(|_| random.next_u64().to_le_bytes()[0]);
        let bytes =
            (self.codec.encode)(response).ok_or_else(|| Failure::internal("a response could not be encoded"))?;
        let record = IdempotencyRecord {
            key: self.key,
            request_digest: self.request_digest,
            encrypted_response: self.seal(&bytes, nonce)?,
            is_final: self.is_final,
            stored_at: now,
            charged_to: None,
        };
        self.recorded_bytes.store(record.encrypted_response.len(), Ordering::Release);
        self.recorded_at_ms.store(now.ms(), Ordering::Release);
        Ok(idempotency::keep_answer(record, self.owner, quotas, view)?)
    }

    fn decode<R: 'static>(&self, saved: SavedResponse) -> Result<R, Failure> {
        let response = (self.codec.decode)(saved).and_then(|response| response.downcast().ok());
        response.map(|response| *response).ok_or_else(|| Failure::internal("a stored response cannot be read"))
    }

    /// Names the key, so that a record moved to another key cannot be decrypted.
    fn purpose(&self) -> String {
        format!("answer {}", hex::encode(&self.key.digest))
    }

    fn seal(&self, bytes: &[u8], nonce: [u8; NONCE_BYTES]) -> Result<Vec<u8>, Failure> {
        let sealed = self.secret.seal(&pack(bytes)?, &self.purpose(), nonce);
        sealed.ok_or_else(|| Failure::internal("a response could not be encrypted"))
    }

    /// A command that stores the response as clients get it; `finalizes` says that it completes the one that was stored
    /// in the transaction.
    pub(crate) fn save_command(
        &self,
        bytes: &[u8],
        finalizes: bool,
        nonce: [u8; NONCE_BYTES],
    ) -> Result<SaveIdempotencyRecord, Failure> {
        let encrypted_response = self.seal(bytes, nonce)?;
        let Self { key, request_digest, owner, .. } = *self;
        Ok(SaveIdempotencyRecord { key, request_digest, encrypted_response, owner, finalizes })
    }

    /// Compares a record with this request, and decrypts its response.
    pub(crate) fn open(&self, record: &IdempotencyRecord) -> Result<IdempotencyMatch, Failure> {
        if record.request_digest != self.request_digest {
            return Ok(IdempotencyMatch::DifferentRequest);
        }
        let bytes = self.secret.open(&record.encrypted_response, &self.purpose());
        let bytes = bytes.ok_or_else(|| Failure::internal("a stored response cannot be decrypted with this secret"))?;
        Ok(IdempotencyMatch::SameRequest(SavedResponse { bytes: unpack(bytes)?, is_final: record.is_final }))
    }
}

/// The bytes of a response as they are encrypted: long ones are compressed, quickly, as the other commands of the batch
/// wait for it.
fn pack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    if bytes.len() < COMPRESSED_FROM_BYTES {
        return Ok(bytes.into());
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map(Cow::Owned).map_err(|error| Failure::internal(&format!("a response could not be compressed: {error}")))
}

/// The bytes of a response, of which [`pack`] made these. Those that were not compressed begin with the head of a response,
/// which is JSON.
fn unpack(packed: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if !packed.starts_with(&GZIP_MAGIC) {
        return Ok(packed);
    }
    let mut bytes = Vec::new();
    let read = GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes);
    read.map_err(|error| Failure::internal(&format!("a stored response cannot be read: {error}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_the_same_after_packing_and_long_ones_are_shorter() {
        for length in [0, 1, COMPRESSED_FROM_BYTES - 1, COMPRESSED_FROM_BYTES, 1_000_000] {
            let bytes = b"{\"status\":200}\nabcdefghij".iter().copied().cycle().take(length).collect::<Vec<u8>>();
            let packed = pack(&bytes).unwrap().into_owned();
            assert_eq!(packed.len() < bytes.len() / 4, length >= COMPRESSED_FROM_BYTES, "{length}");
            assert_eq!(unpack(packed).unwrap(), bytes, "{length}");
        }
        assert!(unpack([&GZIP_MAGIC[..], b"broken"].concat()).is_err());
    }
}
