-- Endpoints of webhooks: how they do, who sends to them, and how far they have come in the feed.
CREATE TABLE IF NOT EXISTS webhooks (
    id BIGINT PRIMARY KEY,
    partner BIGINT NOT NULL,
    url TEXT NOT NULL,
    description TEXT,
    selection TEXT NOT NULL,
    payload TEXT NOT NULL,
    has_customers BIGINT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    encrypted_secret BYTEA NOT NULL,
    replaced_secret BYTEA,
    replaced_secret_till BIGINT,
    removed BIGINT NOT NULL,
    read_place BIGINT NOT NULL,
    read_index BIGINT NOT NULL,
    health TEXT NOT NULL,
    claim BIGINT NOT NULL,
    claim_till BIGINT NOT NULL,
    due_at BIGINT,
    watch_at BIGINT,
    attempts BIGINT NOT NULL,
    enabled_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    changed_in BYTEA,
    version BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS webhooks_partner ON webhooks (partner, id); -- the endpoints of a partner
CREATE INDEX IF NOT EXISTS webhooks_status ON webhooks (status, id); -- the endpoints to send to
CREATE INDEX IF NOT EXISTS webhooks_watch ON webhooks (watch_at, id) WHERE watch_at IS NOT NULL; -- those to tell of

-- Messages that are held back, or were given up.
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    webhook BIGINT NOT NULL,
    place BIGINT NOT NULL,
    place_index BIGINT NOT NULL,
    message TEXT NOT NULL,
    state TEXT NOT NULL,
    tries BIGINT NOT NULL,
    first_tried_at BIGINT,
    last_tried_at BIGINT,
    due_at BIGINT,
    version BIGINT NOT NULL,
    PRIMARY KEY (webhook, place, place_index) -- those of an endpoint
);
CREATE INDEX IF NOT EXISTS webhook_deliveries_old ON webhook_deliveries (state, due_at, webhook, place, place_index); -- those to forget

-- Attempts to send messages.
CREATE TABLE IF NOT EXISTS webhook_attempts (
    webhook BIGINT NOT NULL,
    number BIGINT NOT NULL,
    message TEXT,
    sent_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status BIGINT,
    answer TEXT,
    error TEXT,
    taken BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (webhook, number) -- the attempts of an endpoint
);
CREATE INDEX IF NOT EXISTS webhook_attempts_sent_at ON webhook_attempts (sent_at, webhook, number); -- those to forget

ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_webhooks BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners DROP CONSTRAINT IF EXISTS webhooks_not_negative;
ALTER TABLE partners ADD CONSTRAINT webhooks_not_negative CHECK (used_webhooks >= 0);
