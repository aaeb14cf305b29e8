-- Answers that were given under an Idempotency-Key; what they say is encrypted.
CREATE TABLE kept_answers (
    digest BLOB PRIMARY KEY,
    tag INTEGER NOT NULL,
    request BLOB NOT NULL,
    sealed BLOB NOT NULL,
    is_final INTEGER NOT NULL,
    kept_at INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_answers_age ON kept_answers (kept_at, digest); -- answers to forget
