-- Answers that were given under an Idempotency-Key; what they say is encrypted.
CREATE TABLE IF NOT EXISTS idempotency_records (
    tag BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    request_digest BYTEA NOT NULL,
    encrypted_response BYTEA NOT NULL,
    is_final BIGINT NOT NULL,
    stored_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tag, digest)
);
CREATE INDEX IF NOT EXISTS idempotency_records_stored_at ON idempotency_records (stored_at, digest); -- answers to forget
