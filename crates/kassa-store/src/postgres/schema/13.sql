-- Users who run the platform, and since when.
ALTER TABLE users ADD COLUMN IF NOT EXISTS operator_since BIGINT;
