//! Responses under idempotency keys: the digest of a request, and what is stored for it.

use kassa_domain::{Actor, ReadSet, ShardTag};

use super::Engine;
use crate::caller::CallerRef;
use crate::failure::Failure;
use crate::idempotency::{IdempotencyMatch, IdempotentRequest, ResponseCodec};

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
        IdempotentRequest::new(&self.inner.secret, actor, event, name, request, is_final, codec)
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
        let earlier =
            self.execute(CallerRef::system_for(request.tenant()), command, |_, earlier| earlier.clone()).await?;
        earlier.map(|record| request.open(&record)).transpose()
    }
}
