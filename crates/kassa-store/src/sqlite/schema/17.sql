-- The tickets of an order are found by its lines.
DROP INDEX tickets_holder;
-- Entries of the feed's index that are not written yet: many at a time fill fewer pages. What
-- batches state is compressed from here on.
ALTER TABLE feed_heads ADD COLUMN waiting BLOB;
