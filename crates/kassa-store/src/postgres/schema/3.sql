-- Answers that were given under an Idempotency-Key; what they say is encrypted.
CREATE TABLE IF NOT EXISTS kept_answers (
    tag BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    request BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    is_final BIGINT NOT NULL,
    kept_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tag, digest)
);
CREATE INDEX IF NOT EXISTS kept_answers_age ON kept_answers (kept_at, digest); -- answers to forget
