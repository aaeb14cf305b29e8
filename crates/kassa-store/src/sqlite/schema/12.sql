-- What users are to the partners that they manage: until now all did everything.
ALTER TABLE managers ADD COLUMN role TEXT NOT NULL DEFAULT 'owner';
ALTER TABLE invitations ADD COLUMN role TEXT NOT NULL DEFAULT 'owner';
-- Whether the partner has named the address itself: of invitations that there were nobody knows.
ALTER TABLE invitations ADD COLUMN is_email_known INTEGER NOT NULL DEFAULT 0;
