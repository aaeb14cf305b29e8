-- Payments of orders: what has come in, what of it has bought tickets, and what has gone back.
CREATE TABLE IF NOT EXISTS payments (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    vendor BIGINT NOT NULL,
    provider TEXT NOT NULL,
    status TEXT NOT NULL,
    amount BIGINT NOT NULL,
    received BIGINT NOT NULL,
    used BIGINT NOT NULL,
    returned BIGINT NOT NULL,
    reference TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    poll_at BIGINT,
    polls BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    changed_in BYTEA,
    version BIGINT NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('pending', 'paid', 'failed', 'canceled', 'returning', 'returned')),
    CONSTRAINT money_adds_up CHECK (used >= 0 AND returned >= 0 AND used + returned <= received),
    PRIMARY KEY (tag, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS payments_reference ON payments (reference, tag); -- the payment that a transfer names
CREATE INDEX IF NOT EXISTS payments_order ON payments (order_id, id); -- the payments of an order
CREATE INDEX IF NOT EXISTS payments_due ON payments (poll_at, id) WHERE poll_at IS NOT NULL; -- those to look at
