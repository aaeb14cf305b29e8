-- Users who run the platform, and since when.
ALTER TABLE users ADD COLUMN IF NOT EXISTS operator_since BIGINT;
CREATE INDEX IF NOT EXISTS users_operators ON users (id) WHERE operator_since IS NOT NULL; -- those who run the platform
