-- Drafts do not occupy a venue: public events do, and those that were taken off sale after tickets had been in orders.
ALTER TABLE events ADD COLUMN IF NOT EXISTS withdrawn BIGINT NOT NULL DEFAULT 0;
UPDATE events SET withdrawn = 1
WHERE status = 'stand_by' AND withdrawn = 0 AND EXISTS (SELECT 1 FROM orders WHERE event = events.id);
CREATE INDEX IF NOT EXISTS events_public_at ON events (venue, ends_at) WHERE venue IS NOT NULL AND removed = 0 AND status = 'public'; -- whether a venue or a map is in use
CREATE INDEX IF NOT EXISTS events_withdrawn_at ON events (venue, ends_at) WHERE venue IS NOT NULL AND removed = 0 AND withdrawn = 1; -- whether a venue or a map is in use
DROP INDEX IF EXISTS events_venue;
