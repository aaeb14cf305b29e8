-- Whether the feed shows a key the data of customers: to none that there was before.
ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS has_customers BIGINT NOT NULL DEFAULT 0;
