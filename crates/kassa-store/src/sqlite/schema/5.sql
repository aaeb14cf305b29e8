-- The log of changes: which batch has the last change of a row; nothing, where that was before there was a log.
ALTER TABLE orders ADD COLUMN changed_in BLOB;
ALTER TABLE sets ADD COLUMN changed_in BLOB;
ALTER TABLE events ADD COLUMN changed_in BLOB;
ALTER TABLE partners ADD COLUMN changed_in BLOB;
ALTER TABLE api_keys ADD COLUMN changed_in BLOB;
ALTER TABLE attachments ADD COLUMN changed_in BLOB;
ALTER TABLE refund_requests ADD COLUMN changed_in BLOB;
ALTER TABLE promocodes ADD COLUMN changed_in BLOB;
ALTER TABLE promotions ADD COLUMN changed_in BLOB;
ALTER TABLE venues ADD COLUMN changed_in BLOB;
ALTER TABLE hall_maps ADD COLUMN changed_in BLOB;
ALTER TABLE deals ADD COLUMN changed_in BLOB;
-- Whether a set has tickets to sell is counted apart from its edits.
ALTER TABLE sets ADD COLUMN inventory_revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sets ADD COLUMN inventory_changed_in BLOB;
-- How many batches with changes a writer has committed.
ALTER TABLE nodes ADD COLUMN batches INTEGER NOT NULL DEFAULT 0;

-- The changes that a batch has stated, packed, in its own transaction. place: in the feed, from 1 on.
CREATE TABLE change_batches (
    node INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    place INTEGER,
    committed_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (node, epoch, number) -- the batch that a row names
) STRICT;
CREATE UNIQUE INDEX change_batches_place ON change_batches (place); -- the feed, each place once

-- At which places of the feed somebody sees something. kind: 0 a partner, 1 the agents of an event.
CREATE TABLE audience_entries (
    kind INTEGER NOT NULL,
    id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, id, place) -- the feed of a partner, and of the agents of an event
) STRICT, WITHOUT ROWID;

-- How far the feed goes, and who prolongs it.
CREATE TABLE feed_heads (
    name TEXT PRIMARY KEY,
    last_place INTEGER NOT NULL,
    oldest_place INTEGER NOT NULL,
    purged_until INTEGER NOT NULL,
    sequencer_node INTEGER,
    sequencer_epoch INTEGER,
    lease_till INTEGER,
    version INTEGER NOT NULL,
    CONSTRAINT oldest_is_not_ahead CHECK (oldest_place <= last_place + 1)
) STRICT, WITHOUT ROWID;
