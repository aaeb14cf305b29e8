-- What is kept behind orders: what they are found by, and sums of what was sold.
CREATE TABLE indexed_orders (
    id INTEGER PRIMARY KEY,
    tag INTEGER NOT NULL,
    event INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    vendor INTEGER NOT NULL,
    agent INTEGER,
    revision INTEGER NOT NULL,
    email TEXT,
    first_name TEXT,
    last_name TEXT,
    mobile TEXT,
    sales TEXT,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX indexed_orders_organizer_email ON indexed_orders (organizer, email, id) WHERE email IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_organizer_first_name ON indexed_orders (organizer, first_name, id) WHERE first_name IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_organizer_last_name ON indexed_orders (organizer, last_name, id) WHERE last_name IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_organizer_mobile ON indexed_orders (organizer, mobile, id) WHERE mobile IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_agent_email ON indexed_orders (agent, email, id) WHERE agent IS NOT NULL AND email IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_agent_first_name ON indexed_orders (agent, first_name, id) WHERE agent IS NOT NULL AND first_name IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_agent_last_name ON indexed_orders (agent, last_name, id) WHERE agent IS NOT NULL AND last_name IS NOT NULL; -- the search of orders
CREATE INDEX indexed_orders_agent_mobile ON indexed_orders (agent, mobile, id) WHERE agent IS NOT NULL AND mobile IS NOT NULL; -- the search of orders

CREATE TABLE daily_sales (
    event INTEGER NOT NULL,
    vendor INTEGER NOT NULL,
    set_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    tag INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    agent INTEGER,
    orders INTEGER NOT NULL,
    tickets INTEGER NOT NULL,
    full_sum INTEGER NOT NULL,
    organizer_sum INTEGER NOT NULL,
    agent_sum INTEGER NOT NULL,
    platform_sum INTEGER NOT NULL,
    retained_sum INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (event, vendor, set_id, day) -- the sums of an event
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_sales_organizer ON daily_sales (organizer, day) WHERE set_id = 0; -- the sums of an organizer
CREATE INDEX daily_sales_agent ON daily_sales (agent, day) WHERE set_id = 0 AND agent IS NOT NULL; -- the sums of an agent
