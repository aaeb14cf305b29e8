-- Sessions are forgotten once they have lapsed, and a user has so many at most.
CREATE INDEX IF NOT EXISTS sessions_expires_at ON sessions (expires_at, hash); -- sessions to forget

-- What a partner stores, counted with the rows, and what the operator allows it in place of what all are allowed.
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_events BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_tickets BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_promocodes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_promotions BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_venues BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_hall_maps BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_api_keys BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_deals BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_attachments BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_attachment_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS used_answer_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS quotas TEXT NOT NULL DEFAULT '{}';
ALTER TABLE partners DROP CONSTRAINT IF EXISTS usage_not_negative;
ALTER TABLE partners ADD CONSTRAINT usage_not_negative CHECK (
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
ALTER TABLE idempotency_records ADD COLUMN IF NOT EXISTS charged_to BIGINT;
-- the answers that a partner is charged for: the recount
CREATE INDEX IF NOT EXISTS idempotency_records_charged_to ON idempotency_records (charged_to) WHERE charged_to IS NOT NULL;

-- Attachments are removed when nothing shows them, and their bytes after that.
ALTER TABLE attachments ADD COLUMN IF NOT EXISTS bytes_discarded BIGINT NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS attachments_to_discard ON attachments (id) WHERE removed = 1 AND bytes_discarded = 0; -- bytes to delete
-- the tokens of the attachments that its pictures are
ALTER TABLE events ADD COLUMN IF NOT EXISTS cover TEXT;
ALTER TABLE events ADD COLUMN IF NOT EXISTS cover_small TEXT;
ALTER TABLE events ADD COLUMN IF NOT EXISTS cover_original TEXT;
UPDATE events SET
    cover = about::json #>> '{media,main,token}',
    cover_small = about::json #>> '{media,small,token}',
    cover_original = about::json #>> '{media,original,token}'
WHERE about LIKE '%"token"%';
CREATE INDEX IF NOT EXISTS events_cover ON events (cover) WHERE cover IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX IF NOT EXISTS events_cover_small ON events (cover_small) WHERE cover_small IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX IF NOT EXISTS events_cover_original ON events (cover_original) WHERE cover_original IS NOT NULL; -- whether an attachment is in use: its removal
-- the tokens of the attachments that its pictures are
ALTER TABLE partners ADD COLUMN IF NOT EXISTS logo TEXT;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS logo_small TEXT;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS logo_original TEXT;
UPDATE partners SET
    logo = about::json #>> '{media,main,token}',
    logo_small = about::json #>> '{media,small,token}',
    logo_original = about::json #>> '{media,original,token}'
WHERE about LIKE '%"token"%';
CREATE INDEX IF NOT EXISTS partners_logo ON partners (logo) WHERE logo IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX IF NOT EXISTS partners_logo_small ON partners (logo_small) WHERE logo_small IS NOT NULL; -- whether an attachment is in use: its removal
CREATE INDEX IF NOT EXISTS partners_logo_original ON partners (logo_original) WHERE logo_original IS NOT NULL; -- whether an attachment is in use: its removal

-- Deals: whether the organizer has ended one with an agent. Who terminated a deal so far, nobody wrote down: a person
-- looks at the next proposal of that agent.
ALTER TABLE deals ADD COLUMN IF NOT EXISTS ended_by_organizer BIGINT NOT NULL DEFAULT 0;
UPDATE deals SET ended_by_organizer = 1 WHERE ended_by_organizer = 0 AND status IN ('declined', 'terminated');
CREATE INDEX IF NOT EXISTS deals_ended_by_organizer ON deals (agent, organizer, id) WHERE ended_by_organizer = 1; -- whether a proposal waits
-- Mails wait in queues, in which partners take turns: 0 and 1 were never tried, 2 and 3 were; 1 and 3 are bulk.
ALTER TABLE mails ADD COLUMN IF NOT EXISTS queue BIGINT NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN IF NOT EXISTS partner BIGINT NOT NULL DEFAULT 0;
UPDATE mails SET queue =
    CASE WHEN content LIKE '%"kind":"export"%' THEN 1 ELSE 0 END
    + CASE WHEN attempts > 0 OR state = 'failed' THEN 2 ELSE 0 END;
CREATE INDEX IF NOT EXISTS mails_turns ON mails (queue, partner, due_at, id); -- mails to send
DROP INDEX IF EXISTS mails_due;
-- Accounts: the second factor, until when a registration must be confirmed, and sessions as their user sees them.
ALTER TABLE users ADD COLUMN IF NOT EXISTS second_factor TEXT;
ALTER TABLE users ADD COLUMN IF NOT EXISTS confirm_by BIGINT;
CREATE INDEX IF NOT EXISTS users_confirm_by ON users (confirm_by, id) WHERE confirm_by IS NOT NULL; -- registrations that lapse
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS created_at BIGINT;
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, expires_at); -- sessions that a user sees and ends
-- Suspensions: since when the operator has stopped a partner or a user, and why.
ALTER TABLE partners ADD COLUMN IF NOT EXISTS suspended_at BIGINT;
ALTER TABLE partners ADD COLUMN IF NOT EXISTS suspension_reason TEXT;
ALTER TABLE users ADD COLUMN IF NOT EXISTS suspended_at BIGINT;
ALTER TABLE users ADD COLUMN IF NOT EXISTS suspension_reason TEXT;
-- Invitations of users to manage a partner; of the operator, to register, where the partner is 0.
CREATE TABLE IF NOT EXISTS invitations (
    partner BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    founder BIGINT NOT NULL,
    email TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (partner, user_id), -- the invitations of a partner
    CONSTRAINT known_status CHECK (status IN ('pending', 'accepted', 'declined', 'revoked'))
);
CREATE INDEX IF NOT EXISTS invitations_user ON invitations (user_id); -- the invitations to a user
CREATE INDEX IF NOT EXISTS invitations_email ON invitations (email); -- whether who registers is invited
CREATE INDEX IF NOT EXISTS invitations_expires_at ON invitations (expires_at, partner, user_id); -- those to forget
-- Jobs run on the account of the organizer of their event, in turns; 0 is nobody's.
ALTER TABLE jobs ADD COLUMN IF NOT EXISTS organizer BIGINT NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS jobs_turns ON jobs (organizer, id); -- jobs to work on
-- Deals: an order looks for the newest that is in force, a proposal for those that wait.
CREATE INDEX IF NOT EXISTS deals_in_force ON deals (event, agent, id) WHERE status = 'accepted'; -- the deal of a sale
CREATE INDEX IF NOT EXISTS deals_proposed ON deals (event, agent, id) WHERE status = 'new'; -- proposals that wait
DROP INDEX IF EXISTS deals_event_agent;
