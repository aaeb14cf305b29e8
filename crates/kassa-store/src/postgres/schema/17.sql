-- Entries of the feed's index that are not written yet: of a copy from SQLite. Here they are written with their places.
ALTER TABLE feed_heads ADD COLUMN IF NOT EXISTS waiting bytea;
