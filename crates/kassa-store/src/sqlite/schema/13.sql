-- Users who run the platform, and since when.
ALTER TABLE users ADD COLUMN operator_since INTEGER;
