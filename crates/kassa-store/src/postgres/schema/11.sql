-- What is kept behind orders: what they are found by, and sums of what was sold.
CREATE TABLE IF NOT EXISTS indexed_orders (
    tag BIGINT NOT NULL,
    id BIGINT NOT NULL,
    event BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    vendor BIGINT NOT NULL,
    agent BIGINT,
    revision BIGINT NOT NULL,
    email TEXT COLLATE "C",
    first_name TEXT COLLATE "C",
    last_name TEXT COLLATE "C",
    mobile TEXT COLLATE "C",
    sales TEXT,
    version BIGINT NOT NULL,
    PRIMARY KEY (id, tag)
);
CREATE INDEX IF NOT EXISTS indexed_orders_organizer_email ON indexed_orders (organizer, email, id) WHERE email IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_organizer_first_name ON indexed_orders (organizer, first_name, id) WHERE first_name IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_organizer_last_name ON indexed_orders (organizer, last_name, id) WHERE last_name IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_organizer_mobile ON indexed_orders (organizer, mobile, id) WHERE mobile IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_agent_email ON indexed_orders (agent, email, id) WHERE agent IS NOT NULL AND email IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_agent_first_name ON indexed_orders (agent, first_name, id) WHERE agent IS NOT NULL AND first_name IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_agent_last_name ON indexed_orders (agent, last_name, id) WHERE agent IS NOT NULL AND last_name IS NOT NULL; -- the search of orders
CREATE INDEX IF NOT EXISTS indexed_orders_agent_mobile ON indexed_orders (agent, mobile, id) WHERE agent IS NOT NULL AND mobile IS NOT NULL; -- the search of orders

CREATE TABLE IF NOT EXISTS daily_sales (
    tag BIGINT NOT NULL,
    event BIGINT NOT NULL,
    vendor BIGINT NOT NULL,
    set_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    organizer BIGINT NOT NULL,
    agent BIGINT,
    orders BIGINT NOT NULL,
    tickets BIGINT NOT NULL,
    full_sum BIGINT NOT NULL,
    organizer_sum BIGINT NOT NULL,
    agent_sum BIGINT NOT NULL,
    platform_sum BIGINT NOT NULL,
    retained_sum BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tag, event, vendor, set_id, day)
);
CREATE INDEX IF NOT EXISTS daily_sales_event ON daily_sales (event, day); -- the sums of an event
CREATE INDEX IF NOT EXISTS daily_sales_organizer ON daily_sales (organizer, day) WHERE set_id = 0; -- the sums of an organizer
CREATE INDEX IF NOT EXISTS daily_sales_agent ON daily_sales (agent, day) WHERE set_id = 0 AND agent IS NOT NULL; -- the sums of an agent
