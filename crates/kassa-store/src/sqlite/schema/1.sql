-- Every index names the query that it serves. Times are milliseconds since 1970, money is cents.
-- Ids are the inside form; `tag` is the shard of what hangs on an event.

CREATE TABLE nodes (
    number INTEGER PRIMARY KEY,
    last_id INTEGER NOT NULL,
    next_order_number INTEGER NOT NULL,
    order_numbers_end INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What holds for the whole installation, as the fingerprint of its secret.
CREATE TABLE installation_settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- folded: the names and the e-mail in small letters, for searching in them
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE, -- log-in, registration, the customer of an order
    account TEXT NOT NULL,
    first_name TEXT,
    last_name TEXT,
    search_text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL,
    password_since INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE partners (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    removed INTEGER NOT NULL,
    user_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE managers (
    partner INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (partner, user_id) -- the managers of a partner
) STRICT, WITHOUT ROWID;
CREATE INDEX managers_user ON managers (user_id); -- the partners of a user: every log-in

CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    partner INTEGER NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE, -- the key of a request
    encrypted_secret BLOB NOT NULL,
    removed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX api_keys_partner ON api_keys (partner); -- the list of a partner's keys

CREATE TABLE attachments (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    length INTEGER NOT NULL,
    md5 TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE, -- the url of the bytes
    removed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT not_empty CHECK (length > 0)
) STRICT;
CREATE INDEX attachments_author ON attachments (author, id); -- the list of a partner's attachments

-- tag_list: the labels, each between two line breaks, for searching by them
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    organizer INTEGER NOT NULL,
    status TEXT NOT NULL,
    starts_at INTEGER,
    ends_at INTEGER,
    venue INTEGER,
    map INTEGER,
    removed INTEGER NOT NULL,
    about TEXT NOT NULL,
    tag_list TEXT NOT NULL,
    tickets_limit INTEGER NOT NULL,
    hold_minutes INTEGER NOT NULL,
    next_ticket INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX events_organizer ON events (organizer, id); -- the events of an organizer
-- whether a venue is in use: its removal
CREATE INDEX events_venue ON events (venue, ends_at) WHERE venue IS NOT NULL AND removed = 0 AND status <> 'canceled';

-- folded_name: the name in small letters, for searching in it
CREATE TABLE venues (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    about TEXT NOT NULL,
    city INTEGER,
    country TEXT,
    removed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX venues_owner ON venues (owner, id); -- the venues of a partner
CREATE INDEX venues_city ON venues (city, id) WHERE city IS NOT NULL; -- the venues of a city
CREATE INDEX venues_country ON venues (country, id) WHERE country IS NOT NULL; -- the venues of a country

CREATE TABLE hall_maps (
    id INTEGER PRIMARY KEY,
    venue INTEGER NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sectors TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX hall_maps_venue ON hall_maps (venue, id); -- the maps of a venue

CREATE TABLE deals (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    status TEXT NOT NULL,
    proposed_by_agent INTEGER NOT NULL,
    message TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('new', 'accepted', 'declined', 'revoked', 'terminated'))
) STRICT;
CREATE INDEX deals_event_agent ON deals (event, agent); -- the deal of a sale
CREATE INDEX deals_agent ON deals (agent, id); -- an agent's deals
CREATE INDEX deals_organizer ON deals (organizer, id); -- an organizer's deals
CREATE INDEX deals_agent_organizer ON deals (agent, organizer, id) WHERE status = 'accepted'; -- whether two partners deal
CREATE INDEX deals_agent_event ON deals (agent, event) WHERE status = 'accepted'; -- the events that an agent sells

CREATE TABLE sets (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    about TEXT NOT NULL,
    sector TEXT NOT NULL,
    pos INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    vacant INTEGER NOT NULL,
    held INTEGER NOT NULL,
    sold INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    pending_removal INTEGER NOT NULL,
    pick_cursor INTEGER NOT NULL,
    job INTEGER,
    removed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    seat_layout TEXT,
    existing_seat_layout TEXT,
    version INTEGER NOT NULL,
    CONSTRAINT counts_add_up CHECK (
        vacant >= 0 AND held >= 0 AND sold >= 0 AND blocked >= 0 AND pending >= 0
        AND vacant + held + sold + blocked + pending = amount
    ),
    CONSTRAINT pending_removal_is_not_in_orders CHECK (pending_removal BETWEEN 0 AND vacant + blocked),
    CONSTRAINT created_seats_need_a_layout CHECK (seat_layout IS NOT NULL OR existing_seat_layout IS NULL)
) STRICT;
CREATE INDEX sets_event ON sets (event); -- the sets of an event: every sale

-- state: 0 vacant, 1 held, 2 sold, 3 blocked
-- row_order: the row as rows are sorted, 2 before 10; no two rows have the same
CREATE TABLE tickets (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    set_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sector TEXT NOT NULL,
    seat_row TEXT,
    row_order TEXT,
    seat_number INTEGER,
    row_inventory INTEGER,
    state INTEGER NOT NULL,
    holder INTEGER,
    held_till INTEGER,
    barcode TEXT,
    refund INTEGER, -- the one open refund request that wants it back
    version INTEGER NOT NULL,
    CONSTRAINT seat_is_complete CHECK (
        (seat_row IS NULL) = (row_order IS NULL) AND (seat_row IS NULL) = (seat_number IS NULL)
        AND (seat_row IS NULL) = (row_inventory IS NULL)
    ),
    CONSTRAINT one_holder CHECK ((state IN (1, 2)) = (holder IS NOT NULL)),
    CONSTRAINT held_has_deadline CHECK ((state = 1) = (held_till IS NOT NULL)),
    CONSTRAINT sold_with_barcode CHECK ((state = 2) = (barcode IS NOT NULL)),
    CONSTRAINT sold_before_refund CHECK (refund IS NULL OR state = 2),
    CONSTRAINT known_state CHECK (state BETWEEN 0 AND 3)
) STRICT;
CREATE UNIQUE INDEX tickets_number ON tickets (event, number); -- the list of an event's tickets
CREATE UNIQUE INDEX tickets_barcode ON tickets (event, barcode) WHERE barcode IS NOT NULL; -- one ticket per barcode
-- one ticket per chair; the list of an event's seats, and a set's tickets by chair
CREATE UNIQUE INDEX tickets_seat ON tickets (event, sector, row_order, seat_number) WHERE row_order IS NOT NULL;
CREATE INDEX tickets_vacant ON tickets (set_id, id) WHERE state = 0; -- the pick of any vacant tickets
CREATE INDEX tickets_blocked ON tickets (set_id) WHERE state = 3; -- what the organizer holds back
CREATE INDEX tickets_holder ON tickets (holder) WHERE holder IS NOT NULL; -- what an order holds

-- The chairs of a set in one row. vacant: a bit for each number from 0 on, eight to a byte, the lowest first;
-- longest: how many vacant ones are neighbours at most
CREATE TABLE seat_row_inventories (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    set_id INTEGER NOT NULL,
    seat_row TEXT NOT NULL,
    row_order TEXT NOT NULL,
    rank INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    vacant BLOB NOT NULL,
    longest_vacant_run INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT vacant_run_fits_the_row CHECK (seats > 0 AND longest_vacant_run BETWEEN 0 AND seats)
) STRICT;
CREATE UNIQUE INDEX seat_row_inventories_row ON seat_row_inventories (set_id, row_order); -- the rows of a set, each once
-- the best rows that have so many neighbours: the pick of any vacant seats
CREATE INDEX seat_row_inventories_best ON seat_row_inventories (set_id, rank, row_order, longest_vacant_run) WHERE longest_vacant_run <> 0;
-- the longest runs, where no row has so many
CREATE INDEX seat_row_inventories_longest_run ON seat_row_inventories (set_id, longest_vacant_run DESC, rank, row_order) WHERE longest_vacant_run <> 0;

-- value: of the tickets that it has; kept: what of refunded ones was not given back
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    vendor INTEGER NOT NULL,
    number INTEGER NOT NULL,
    status TEXT NOT NULL,
    reserved_till INTEGER NOT NULL,
    user_id INTEGER,
    email TEXT,
    value INTEGER NOT NULL,
    retained INTEGER NOT NULL,
    ticket_count INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('executed', 'in_progress', 'done', 'canceled', 'expired', 'refunded'))
) STRICT;
CREATE UNIQUE INDEX orders_number ON orders (number); -- one order per number
CREATE INDEX orders_event ON orders (event, id); -- the orders of an event
CREATE INDEX orders_organizer ON orders (organizer, id); -- an organizer's list
CREATE INDEX orders_vendor ON orders (vendor, id); -- an agent's list
CREATE INDEX orders_user ON orders (user_id, id) WHERE user_id IS NOT NULL; -- a customer's list
CREATE INDEX orders_due ON orders (reserved_till, id) WHERE status IN ('executed', 'in_progress'); -- expiry

-- value: what is given back
CREATE TABLE refund_requests (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    event INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    vendor INTEGER NOT NULL,
    status TEXT NOT NULL,
    value INTEGER NOT NULL,
    finished_at INTEGER,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT known_status CHECK (status IN ('new', 'in_progress', 'approved', 'rejected')),
    CONSTRAINT finished_when_decided CHECK ((status IN ('approved', 'rejected')) = (finished_at IS NOT NULL)),
    CONSTRAINT value_not_negative CHECK (value >= 0)
) STRICT;
CREATE INDEX refund_requests_organizer ON refund_requests (organizer, id); -- an organizer's list
CREATE INDEX refund_requests_vendor ON refund_requests (vendor, id); -- an agent's list
CREATE INDEX refund_requests_event ON refund_requests (event, id); -- the requests for an event
CREATE INDEX refund_requests_order ON refund_requests (order_id, id); -- the requests of an order
-- what a cancellation finds under way
CREATE INDEX refund_requests_open ON refund_requests (order_id) WHERE status IN ('new', 'in_progress');

-- code is as it was written, folded_code in small letters
CREATE TABLE promocodes (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    code TEXT NOT NULL,
    folded_code TEXT NOT NULL,
    amount INTEGER,
    reserved INTEGER NOT NULL,
    used INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT uses_within_amount CHECK (
        reserved >= 0 AND used >= 0 AND (amount IS NULL OR reserved + used <= amount)
    )
) STRICT;
CREATE UNIQUE INDEX promocodes_code ON promocodes (event, folded_code); -- the codes that an order names
CREATE INDEX promocodes_event ON promocodes (event, id); -- the promocodes of an event

CREATE TABLE promotions (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX promotions_event ON promotions (event, id); -- the list of an event's promotions
CREATE INDEX promotions_live ON promotions (event) WHERE removed = 0; -- those that orders look at

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    kind TEXT NOT NULL,
    lease_node INTEGER,
    lease_till INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;

-- Mails that were not sent yet. due_at of a failed one is when it is thrown away.
CREATE TABLE mails (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    email TEXT NOT NULL,
    content TEXT NOT NULL,
    lang TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT known_state CHECK (state IN ('waiting', 'failed'))
) STRICT;
CREATE INDEX mails_due ON mails (due_at, id); -- mails to send
