-- Payments of orders: what has come in, what of it has bought tickets, and what has gone back.
CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    event INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    vendor INTEGER NOT NULL,
    provider TEXT NOT NULL,
    status TEXT NOT NULL,
    amount INTEGER NOT NULL,
    received INTEGER NOT NULL,
    used INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    reference TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    poll_at INTEGER,
    polls INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    changed_in BLOB,
    version INTEGER NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('pending', 'paid', 'failed', 'canceled', 'returning', 'returned')),
    CONSTRAINT money_adds_up CHECK (used >= 0 AND returned >= 0 AND used + returned <= received)
) STRICT;
CREATE UNIQUE INDEX payments_reference ON payments (reference); -- the payment that a transfer names
CREATE INDEX payments_order ON payments (order_id, id); -- the payments of an order
CREATE INDEX payments_due ON payments (poll_at, id) WHERE poll_at IS NOT NULL; -- those to look at
