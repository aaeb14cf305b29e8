-- Writers claim their numbers: how often each was claimed, and until when it belongs to whoever did it last.
ALTER TABLE nodes ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN lease_till INTEGER NOT NULL DEFAULT 0;
