-- What users are to the partners that they manage: until now all did everything.
ALTER TABLE managers ADD COLUMN IF NOT EXISTS role TEXT NOT NULL DEFAULT 'owner';
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS role TEXT NOT NULL DEFAULT 'owner';
-- Whether the partner has named the address itself: of invitations that there were nobody knows.
ALTER TABLE invitations ADD COLUMN IF NOT EXISTS is_email_known BIGINT NOT NULL DEFAULT 0;
