-- Endpoints of webhooks: how they do, who sends to them, and how far they have come in the feed.
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY,
    partner INTEGER NOT NULL,
    url TEXT NOT NULL,
    description TEXT,
    selection TEXT NOT NULL,
    payload TEXT NOT NULL,
    has_customers INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    encrypted_secret BLOB NOT NULL,
    replaced_secret BLOB,
    replaced_secret_till INTEGER,
    removed INTEGER NOT NULL,
    read_place INTEGER NOT NULL,
    read_index INTEGER NOT NULL,
    health TEXT NOT NULL,
    claim INTEGER NOT NULL,
    claim_till INTEGER NOT NULL,
    due_at INTEGER,
    watch_at INTEGER,
    attempts INTEGER NOT NULL,
    enabled_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    changed_in BLOB,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_partner ON webhooks (partner, id); -- the endpoints of a partner
CREATE INDEX webhooks_status ON webhooks (status, id); -- the endpoints to send to
CREATE INDEX webhooks_watch ON webhooks (watch_at, id) WHERE watch_at IS NOT NULL; -- those to tell of

-- Messages that are held back, or were given up.
CREATE TABLE webhook_deliveries (
    webhook INTEGER NOT NULL,
    place INTEGER NOT NULL,
    place_index INTEGER NOT NULL,
    message TEXT NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    first_tried_at INTEGER,
    last_tried_at INTEGER,
    due_at INTEGER,
    version INTEGER NOT NULL,
    PRIMARY KEY (webhook, place, place_index) -- those of an endpoint
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (state, due_at, webhook, place, place_index); -- those to forget

-- Attempts to send messages.
CREATE TABLE webhook_attempts (
    webhook INTEGER NOT NULL,
    number INTEGER NOT NULL,
    message TEXT,
    sent_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    answer TEXT,
    error TEXT,
    taken INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (webhook, number) -- the attempts of an endpoint
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_attempts_sent_at ON webhook_attempts (sent_at, webhook, number); -- those to forget

ALTER TABLE partners ADD COLUMN used_webhooks INTEGER NOT NULL DEFAULT 0
    CONSTRAINT webhooks_not_negative CHECK (used_webhooks >= 0);
