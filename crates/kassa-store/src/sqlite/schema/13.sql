-- Users who run the platform, and since when.
ALTER TABLE users ADD COLUMN operator_since INTEGER;
CREATE INDEX users_operators ON users (id) WHERE operator_since IS NOT NULL; -- those who run the platform
