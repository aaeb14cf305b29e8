-- Where a visitor of a shop has made an order from, until that is paid or over: a keyed hash.
ALTER TABLE orders ADD COLUMN network INTEGER;
CREATE INDEX orders_unpaid_email ON orders (event, email, id) WHERE network IS NOT NULL AND status IN ('executed', 'in_progress'); -- what is held with an e-mail
CREATE INDEX orders_unpaid_network ON orders (event, network, id) WHERE network IS NOT NULL AND status IN ('executed', 'in_progress'); -- what is held from a network
