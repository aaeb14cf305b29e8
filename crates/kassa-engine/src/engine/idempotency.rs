//! Responses under idempotency keys: the digest of a request, and what is stored for it.

use std::sync::Arc;

use kassa_domain::{Actor, ReadSet, ShardTag};

use super::Engine;
use crate::caller::CallerRef;
use crate::failure::Failure;
use crate::idempotency::{IdempotencyMatch, IdempotentRequest, ResponseCodec};
use crate::metrics::Limit;

impl Engine {
    /// A request of `actor`, who calls it `name`. `event` is the tag of the event whose command it is, if it is one;
    /// `request` distinguishes it from other requests of that name; `is_final` says that clients get the response as the
    /// command renders it. `None` for an actor without a credential.
    pub fn idempotent_request(
        &self,
        actor: &Actor,
        event: Option<ShardTag>,
        name: &str,
        request: &[&[u8]],
        is_final: bool,
        codec: ResponseCodec,
    ) -> Option<IdempotentRequest> {
        let Self { inner } = self;
        let kept = Arc::clone(&inner.kept_answers);
        IdempotentRequest::new((&inner.secret, kept), actor, event, name, request, is_final, codec)
    }

    /// Counts a request whose response will be stored, before it is decided: [`Failure::TooManyAnswers`] if enough of its
    /// tenant are stored for now.
    pub fn admit_answer(&self, request: &IdempotentRequest) -> Result<(), Failure> {
        let admitted = self.inner.kept_answers.admit(request.tenant(), self.now());
        admitted.inspect_err(|_| self.limit_hits().record(Limit::KeptAnswers))
    }

    /// The response that is stored for a request, if there is one.
    pub async fn idempotency_record(&self, request: &IdempotentRequest) -> Result<Option<IdempotencyMatch>, Failure> {
        let key = request.key();
        let view = self.view(&ReadSet { idempotency_records: vec![key], ..ReadSet::default() }).await?;
        let record = view.idempotency_records.get(key).filter(|record| !record.is_expired(self.now()));
        record.map(|record| request.open(record)).transpose()
    }

    /// Stores a response as clients get it, before any client does. `finalizes` says that it completes the one that was
    /// stored in the transaction. A response that was stored before takes precedence, and is returned.
    pub async fn record_response(
        &self,
        request: &IdempotentRequest,
        bytes: &[u8],
        finalizes: bool,
    ) -> Result<Option<IdempotencyMatch>, Failure> {
        let command = request.save_command(bytes, finalizes, self.nonce())?;
        let bytes_stored = command.encrypted_response.len();
        let earlier =
            self.execute(CallerRef::system_for(request.tenant()), command, |_, earlier| earlier.clone()).await?;
        if earlier.is_none() {
            self.inner.kept_answers.record(request.tenant(), bytes_stored, self.now());
        }
        earlier.map(|record| request.open(&record)).transpose()
    }
}
