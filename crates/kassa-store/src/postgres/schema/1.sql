-- Every index names the query that it serves. Times are milliseconds since 1970, money is cents.
-- Ids are the inside form; `tag` is the shard of what hangs on an event, and the first half of its key. Unique
-- indexes have it, too, so that a sharded database can keep them. Texts that are sorted are sorted by their bytes.

CREATE TABLE IF NOT EXISTS nodes (
    number BIGINT PRIMARY KEY,
    last_id BIGINT NOT NULL,
    next_order_number BIGINT NOT NULL,
    order_numbers_end BIGINT NOT NULL,
    commit_marker BIGINT NOT NULL DEFAULT 0, -- of the last batch: tells whether a commit whose answer was lost was one
    version BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS counters (
    name TEXT PRIMARY KEY,
    next BIGINT NOT NULL,
    version BIGINT NOT NULL
);

-- What holds for the whole installation, as the fingerprint of its secret.
CREATE TABLE IF NOT EXISTS installation_settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    version BIGINT NOT NULL
);

-- folded: the names and the e-mail in small letters, for searching in them
CREATE TABLE IF NOT EXISTS users (
    id BIGINT PRIMARY KEY,
    email TEXT COLLATE "C" NOT NULL UNIQUE, -- log-in, registration, the customer of an order
    account TEXT NOT NULL,
    first_name TEXT,
    last_name TEXT,
    search_text TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS sessions (
    hash BYTEA PRIMARY KEY,
    user_id BIGINT NOT NULL,
    password_since BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    version BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS partners (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    removed BIGINT NOT NULL,
    user_id BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS managers (
    partner BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (partner, user_id) -- the managers of a partner
);
CREATE INDEX IF NOT EXISTS managers_user ON managers (user_id); -- the partners of a user: every log-in

CREATE TABLE IF NOT EXISTS api_keys (
    id BIGINT PRIMARY KEY,
    partner BIGINT NOT NULL,
    name TEXT NOT NULL,
    hash BYTEA NOT NULL UNIQUE, -- the key of a request
    encrypted_secret BYTEA NOT NULL,
    removed BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS api_keys_partner ON api_keys (partner); -- the list of a partner's keys

CREATE TABLE IF NOT EXISTS attachments (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL,
    content_type TEXT NOT NULL,
    length BIGINT NOT NULL,
    md5 TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE, -- the url of the bytes
    removed BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT not_empty CHECK (length > 0)
);
CREATE INDEX IF NOT EXISTS attachments_author ON attachments (author, id); -- the list of a partner's attachments

-- tag_list: the labels, each between two line breaks, for searching by them
CREATE TABLE IF NOT EXISTS events (
    id BIGINT PRIMARY KEY,
    organizer BIGINT NOT NULL,
    status TEXT NOT NULL,
    starts_at BIGINT,
    ends_at BIGINT,
    venue BIGINT,
    map BIGINT,
    removed BIGINT NOT NULL,
    about TEXT NOT NULL,
    tag_list TEXT NOT NULL,
    tickets_limit BIGINT NOT NULL,
    hold_minutes BIGINT NOT NULL,
    next_ticket BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_organizer ON events (organizer, id); -- the events of an organizer
-- whether a venue is in use: its removal
CREATE INDEX IF NOT EXISTS events_venue ON events (venue, ends_at) WHERE venue IS NOT NULL AND removed = 0 AND status <> 'canceled';

-- folded_name: the name in small letters, for searching in it
CREATE TABLE IF NOT EXISTS venues (
    id BIGINT PRIMARY KEY,
    owner BIGINT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    about TEXT NOT NULL,
    city BIGINT,
    country TEXT,
    removed BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS venues_owner ON venues (owner, id); -- the venues of a partner
CREATE INDEX IF NOT EXISTS venues_city ON venues (city, id) WHERE city IS NOT NULL; -- the venues of a city
CREATE INDEX IF NOT EXISTS venues_country ON venues (country, id) WHERE country IS NOT NULL; -- the venues of a country

CREATE TABLE IF NOT EXISTS hall_maps (
    id BIGINT PRIMARY KEY,
    venue BIGINT NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sectors TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS hall_maps_venue ON hall_maps (venue, id); -- the maps of a venue

CREATE TABLE IF NOT EXISTS deals (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    agent BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    status TEXT NOT NULL,
    proposed_by_agent BIGINT NOT NULL,
    message TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('new', 'accepted', 'declined', 'revoked', 'terminated')),
    PRIMARY KEY (tag, id)
);
CREATE INDEX IF NOT EXISTS deals_event_agent ON deals (event, agent); -- the deal of a sale
CREATE INDEX IF NOT EXISTS deals_agent ON deals (agent, id); -- an agent's deals
CREATE INDEX IF NOT EXISTS deals_organizer ON deals (organizer, id); -- an organizer's deals
CREATE INDEX IF NOT EXISTS deals_agent_organizer ON deals (agent, organizer, id) WHERE status = 'accepted'; -- whether two partners deal
CREATE INDEX IF NOT EXISTS deals_agent_event ON deals (agent, event) WHERE status = 'accepted'; -- the events that an agent sells

CREATE TABLE IF NOT EXISTS sets (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    about TEXT NOT NULL,
    sector TEXT COLLATE "C" NOT NULL,
    pos BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    vacant BIGINT NOT NULL,
    held BIGINT NOT NULL,
    sold BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    pending BIGINT NOT NULL,
    pending_removal BIGINT NOT NULL,
    pick_cursor BIGINT NOT NULL,
    job BIGINT,
    removed BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    seat_layout TEXT,
    existing_seat_layout TEXT,
    version BIGINT NOT NULL,
    CONSTRAINT counts_add_up CHECK (
        vacant >= 0 AND held >= 0 AND sold >= 0 AND blocked >= 0 AND pending >= 0
        AND vacant + held + sold + blocked + pending = amount
    ),
    CONSTRAINT pending_removal_is_not_in_orders CHECK (pending_removal BETWEEN 0 AND vacant + blocked),
    CONSTRAINT created_seats_need_a_layout CHECK (seat_layout IS NOT NULL OR existing_seat_layout IS NULL),
    PRIMARY KEY (tag, id)
);
CREATE INDEX IF NOT EXISTS sets_event ON sets (event); -- the sets of an event: every sale

-- state: 0 vacant, 1 held, 2 sold, 3 blocked
-- row_order: the row as rows are sorted, 2 before 10; no two rows have the same
CREATE TABLE IF NOT EXISTS tickets (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    set_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    sector TEXT COLLATE "C" NOT NULL,
    seat_row TEXT,
    row_order TEXT COLLATE "C",
    seat_number BIGINT,
    row_inventory BIGINT,
    state BIGINT NOT NULL,
    holder BIGINT,
    held_till BIGINT,
    barcode TEXT,
    refund BIGINT, -- the one open refund request that wants it back
    version BIGINT NOT NULL,
    CONSTRAINT seat_is_complete CHECK (
        (seat_row IS NULL) = (row_order IS NULL) AND (seat_row IS NULL) = (seat_number IS NULL)
        AND (seat_row IS NULL) = (row_inventory IS NULL)
    ),
    CONSTRAINT one_holder CHECK ((state IN (1, 2)) = (holder IS NOT NULL)),
    CONSTRAINT held_has_deadline CHECK ((state = 1) = (held_till IS NOT NULL)),
    CONSTRAINT sold_with_barcode CHECK ((state = 2) = (barcode IS NOT NULL)),
    CONSTRAINT sold_before_refund CHECK (refund IS NULL OR state = 2),
    CONSTRAINT known_state CHECK (state BETWEEN 0 AND 3),
    PRIMARY KEY (tag, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS tickets_number ON tickets (event, number, tag); -- the list of an event's tickets
CREATE UNIQUE INDEX IF NOT EXISTS tickets_barcode ON tickets (event, barcode, tag) WHERE barcode IS NOT NULL; -- one ticket per barcode
-- one ticket per chair; the list of an event's seats, and a set's tickets by chair
CREATE UNIQUE INDEX IF NOT EXISTS tickets_seat ON tickets (event, sector, row_order, seat_number, tag) WHERE row_order IS NOT NULL;
CREATE INDEX IF NOT EXISTS tickets_vacant ON tickets (set_id, id) WHERE state = 0; -- the pick of any vacant tickets
CREATE INDEX IF NOT EXISTS tickets_blocked ON tickets (set_id) WHERE state = 3; -- what the organizer holds back
CREATE INDEX IF NOT EXISTS tickets_holder ON tickets (holder) WHERE holder IS NOT NULL; -- what an order holds

-- The chairs of a set in one row. vacant: a bit for each number from 0 on, eight to a byte, the lowest first;
-- longest: how many vacant ones are neighbours at most
CREATE TABLE IF NOT EXISTS seat_row_inventories (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    set_id BIGINT NOT NULL,
    seat_row TEXT NOT NULL,
    row_order TEXT COLLATE "C" NOT NULL,
    rank BIGINT NOT NULL,
    seats BIGINT NOT NULL,
    vacant BYTEA NOT NULL,
    longest_vacant_run BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT vacant_run_fits_the_row CHECK (seats > 0 AND longest_vacant_run BETWEEN 0 AND seats),
    PRIMARY KEY (tag, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS seat_row_inventories_row ON seat_row_inventories (set_id, row_order, tag); -- the rows of a set, each once
-- the best rows that have so many neighbours: the pick of any vacant seats
CREATE INDEX IF NOT EXISTS seat_row_inventories_best ON seat_row_inventories (set_id, rank, row_order, longest_vacant_run) WHERE longest_vacant_run <> 0;
-- the longest runs, where no row has so many
CREATE INDEX IF NOT EXISTS seat_row_inventories_longest_run ON seat_row_inventories (set_id, longest_vacant_run DESC, rank, row_order) WHERE longest_vacant_run <> 0;

-- value: of the tickets that it has; kept: what of refunded ones was not given back
CREATE TABLE IF NOT EXISTS orders (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    vendor BIGINT NOT NULL,
    number BIGINT NOT NULL,
    status TEXT NOT NULL,
    reserved_till BIGINT NOT NULL,
    user_id BIGINT,
    email TEXT COLLATE "C",
    value BIGINT NOT NULL,
    retained BIGINT NOT NULL,
    ticket_count BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('executed', 'in_progress', 'done', 'canceled', 'expired', 'refunded')),
    PRIMARY KEY (tag, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS orders_number ON orders (number); -- one order per number; see "Several servers of one database"
CREATE INDEX IF NOT EXISTS orders_newest ON orders (id); -- the export of all orders
CREATE INDEX IF NOT EXISTS orders_event ON orders (event, id); -- the orders of an event
CREATE INDEX IF NOT EXISTS orders_organizer ON orders (organizer, id); -- an organizer's list
CREATE INDEX IF NOT EXISTS orders_vendor ON orders (vendor, id); -- an agent's list
CREATE INDEX IF NOT EXISTS orders_user ON orders (user_id, id) WHERE user_id IS NOT NULL; -- a customer's list
CREATE INDEX IF NOT EXISTS orders_due ON orders (reserved_till, id) WHERE status IN ('executed', 'in_progress'); -- expiry

-- value: what is given back
CREATE TABLE IF NOT EXISTS refund_requests (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    vendor BIGINT NOT NULL,
    status TEXT NOT NULL,
    value BIGINT NOT NULL,
    finished_at BIGINT,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('new', 'in_progress', 'approved', 'rejected')),
    CONSTRAINT finished_when_decided CHECK ((status IN ('approved', 'rejected')) = (finished_at IS NOT NULL)),
    CONSTRAINT value_not_negative CHECK (value >= 0),
    PRIMARY KEY (tag, id)
);
CREATE INDEX IF NOT EXISTS refund_requests_organizer ON refund_requests (organizer, id); -- an organizer's list
CREATE INDEX IF NOT EXISTS refund_requests_vendor ON refund_requests (vendor, id); -- an agent's list
CREATE INDEX IF NOT EXISTS refund_requests_event ON refund_requests (event, id); -- the requests for an event
CREATE INDEX IF NOT EXISTS refund_requests_order ON refund_requests (order_id, id); -- the requests of an order
-- what a cancellation finds under way
CREATE INDEX IF NOT EXISTS refund_requests_open ON refund_requests (order_id) WHERE status IN ('new', 'in_progress');

-- code is as it was written, folded_code in small letters
CREATE TABLE IF NOT EXISTS promocodes (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    code TEXT NOT NULL,
    folded_code TEXT NOT NULL,
    amount BIGINT,
    reserved BIGINT NOT NULL,
    used BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT uses_within_amount CHECK (
        reserved >= 0 AND used >= 0 AND (amount IS NULL OR reserved + used <= amount)
    ),
    PRIMARY KEY (tag, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS promocodes_code ON promocodes (event, folded_code, tag); -- the codes that an order names
CREATE INDEX IF NOT EXISTS promocodes_event ON promocodes (event, id); -- the promocodes of an event

CREATE TABLE IF NOT EXISTS promotions (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tag, id)
);
CREATE INDEX IF NOT EXISTS promotions_event ON promotions (event, id); -- the list of an event's promotions
CREATE INDEX IF NOT EXISTS promotions_live ON promotions (event) WHERE removed = 0; -- those that orders look at

CREATE TABLE IF NOT EXISTS jobs (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    lease_node BIGINT,
    lease_till BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tag, id)
);

-- Mails that were not sent yet. due_at of a failed one is when it is thrown away.
CREATE TABLE IF NOT EXISTS mails (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    content TEXT NOT NULL,
    lang TEXT,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    error TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CONSTRAINT known_state CHECK (state IN ('waiting', 'failed')),
    PRIMARY KEY (tag, id)
);
CREATE INDEX IF NOT EXISTS mails_due ON mails (due_at, id); -- mails to send
