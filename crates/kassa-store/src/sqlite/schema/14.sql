-- What a partner sells of its own is on the list of the organizer already: the list of the vendor has the rest.
CREATE INDEX orders_agent ON orders (vendor, id, organizer) WHERE vendor <> organizer; -- an agent's list
DROP INDEX orders_vendor;
CREATE INDEX refund_requests_agent ON refund_requests (vendor, id, organizer) WHERE vendor <> organizer; -- an agent's list
DROP INDEX refund_requests_vendor;
