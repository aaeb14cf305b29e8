-- Answers that were given under an Idempotency-Key; what they say is encrypted.
CREATE TABLE idempotency_records (
    digest BLOB PRIMARY KEY,
    tag INTEGER NOT NULL,
    request_digest BLOB NOT NULL,
    encrypted_response BLOB NOT NULL,
    is_final INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_records_stored_at ON idempotency_records (stored_at, digest); -- answers to forget
