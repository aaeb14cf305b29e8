-- Sessions are forgotten once they have lapsed, and a user has so many at most.
CREATE INDEX sessions_expires_at ON sessions (expires_at, hash); -- sessions to forget

-- What a partner stores, counted with the rows, and what the operator allows it in place of what all are allowed.
ALTER TABLE partners ADD COLUMN used_events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_tickets INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_promocodes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_promotions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_venues INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_hall_maps INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_api_keys INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_deals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_attachments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_attachment_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN used_answer_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN quotas TEXT NOT NULL DEFAULT '{}'
    CONSTRAINT usage_not_negative CHECK (
        used_events >= 0 AND used_tickets >= 0 AND used_promocodes >= 0 AND used_promotions >= 0
        AND used_venues >= 0 AND used_hall_maps >= 0 AND used_api_keys >= 0 AND used_deals >= 0
        AND used_attachments >= 0 AND used_attachment_bytes >= 0 AND used_answer_bytes >= 0
    );
UPDATE partners SET
    used_events = (SELECT count(*) FROM events WHERE organizer = partners.id),
    used_tickets = (SELECT coalesce(sum(amount - pending_removal), 0) FROM sets WHERE event IN (SELECT id FROM events WHERE organizer = partners.id)),
    used_promocodes = (SELECT count(*) FROM promocodes WHERE event IN (SELECT id FROM events WHERE organizer = partners.id)),
    used_promotions = (SELECT count(*) FROM promotions WHERE event IN (SELECT id FROM events WHERE organizer = partners.id)),
    used_venues = (SELECT count(*) FROM venues WHERE owner = partners.id),
    used_hall_maps = (SELECT count(*) FROM hall_maps WHERE venue IN (SELECT id FROM venues WHERE owner = partners.id)),
    used_api_keys = (SELECT count(*) FROM api_keys WHERE partner = partners.id),
    used_deals = (SELECT count(*) FROM deals WHERE agent = partners.id AND proposed_by_agent = 1)
        + (SELECT count(*) FROM deals WHERE organizer = partners.id AND proposed_by_agent = 0),
    used_attachments = (SELECT count(*) FROM attachments WHERE author = partners.id),
    used_attachment_bytes = (SELECT coalesce(sum(length), 0) FROM attachments WHERE author = partners.id AND removed = 0);

-- Large answers count against the quota of a partner.
ALTER TABLE idempotency_records ADD COLUMN charged_to INTEGER;
-- the answers that a partner is charged for: the recount
CREATE INDEX idempotency_records_charged_to ON idempotency_records (charged_to) WHERE charged_to IS NOT NULL;

-- Attachments are removed when nothing shows them, and their bytes after that.
ALTER TABLE attachments ADD COLUMN bytes_discarded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX attachments_to_discard ON attachments (id) WHERE removed = 1 AND bytes_discarded = 0; -- bytes to delete
-- the tokens of the attachments that its pictures are
ALTER TABLE events ADD COLUMN cover TEXT;
ALTER TABLE events ADD COLUMN cover_small TEXT;
ALTER TABLE events ADD COLUMN cover_original TEXT;
UPDATE events SET
    cover = json_extract(about, '$.media.main.token'),
    cover_small = json_extract(about, '$.media.small.token'),
    cover_original = json_extract(about, '$.media.original.token')
WHERE about LIKE '%"token"%';
CREATE INDEX events_cover ON events (cover) WHERE cover IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX events_cover_small ON events (cover_small) WHERE cover_small IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX events_cover_original ON events (cover_original) WHERE cover_original IS NOT NULL; -- whether an attachment is in use: its removal
-- the tokens of the attachments that its pictures are
ALTER TABLE partners ADD COLUMN logo TEXT;
ALTER TABLE partners ADD COLUMN logo_small TEXT;
ALTER TABLE partners ADD COLUMN logo_original TEXT;
UPDATE partners SET
    logo = json_extract(about, '$.media.main.token'),
    logo_small = json_extract(about, '$.media.small.token'),
    logo_original = json_extract(about, '$.media.original.token')
WHERE about LIKE '%"token"%';
CREATE INDEX partners_logo ON partners (logo) WHERE logo IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX partners_logo_small ON partners (logo_small) WHERE logo_small IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX partners_logo_original ON partners (logo_original) WHERE logo_original IS NOT NULL; -- whether an attachment is in use: its removal

-- Deals: whether the organizer has ended one with an agent. Who terminated a deal so far, nobody wrote down: a person
-- looks at the next proposal of that agent.
ALTER TABLE deals ADD COLUMN ended_by_organizer INTEGER NOT NULL DEFAULT 0;
UPDATE deals SET ended_by_organizer = 1 WHERE status IN ('declined', 'terminated');
CREATE INDEX deals_ended_by_organizer ON deals (agent, organizer, id) WHERE ended_by_organizer = 1; -- whether a proposal waits
-- Mails wait in queues, in which partners take turns: 0 and 1 were never tried, 2 and 3 were; 1 and 3 are bulk.
ALTER TABLE mails ADD COLUMN queue INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN partner INTEGER NOT NULL DEFAULT 0;
UPDATE mails SET queue =
    CASE WHEN content LIKE '%"kind":"export"%' THEN 1 ELSE 0 END
    + CASE WHEN attempts > 0 OR state = 'failed' THEN 2 ELSE 0 END;
CREATE INDEX mails_turns ON mails (queue, partner, due_at, id); -- mails to send
DROP INDEX mails_due;
-- Accounts: the second factor, until when a registration must be confirmed, and sessions as their user sees them.
ALTER TABLE users ADD COLUMN second_factor TEXT;
ALTER TABLE users ADD COLUMN confirm_by INTEGER;
CREATE INDEX users_confirm_by ON users (confirm_by, id) WHERE confirm_by IS NOT NULL; -- registrations that lapse
ALTER TABLE sessions ADD COLUMN created_at INTEGER;
CREATE INDEX sessions_user ON sessions (user_id, expires_at); -- sessions that a user sees and ends
-- Suspensions: since when the operator has stopped a partner or a user, and why.
ALTER TABLE partners ADD COLUMN suspended_at INTEGER;
ALTER TABLE partners ADD COLUMN suspension_reason TEXT;
ALTER TABLE users ADD COLUMN suspended_at INTEGER;
ALTER TABLE users ADD COLUMN suspension_reason TEXT;
-- Invitations of users to manage a partner; of the operator, to register, where the partner is 0.
CREATE TABLE invitations (
    partner INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    founder INTEGER NOT NULL,
    email TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (partner, user_id), -- the invitations of a partner
    CONSTRAINT known_status CHECK (status IN ('pending', 'accepted', 'declined', 'revoked'))
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_user ON invitations (user_id); -- the invitations to a user
CREATE INDEX invitations_email ON invitations (email); -- whether who registers is invited
CREATE INDEX invitations_expires_at ON invitations (expires_at, partner, user_id); -- those to forget
-- Jobs run on the account of the organizer of their event, in turns; 0 is nobody's.
ALTER TABLE jobs ADD COLUMN organizer INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_turns ON jobs (organizer, id); -- jobs to work on
-- Deals: an order looks for the newest that is in force, a proposal for those that wait.
CREATE INDEX deals_in_force ON deals (event, agent, id) WHERE status = 'accepted'; -- the deal of a sale
CREATE INDEX deals_proposed ON deals (event, agent, id) WHERE status = 'new'; -- proposals that wait
DROP INDEX deals_event_agent;
