-- Writers claim their numbers: how often each was claimed, and until when it belongs to whoever did it last.
-- A program of step 1 knows nothing of it, and goes on.
ALTER TABLE nodes ADD COLUMN IF NOT EXISTS epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN IF NOT EXISTS lease_till BIGINT NOT NULL DEFAULT 0;
