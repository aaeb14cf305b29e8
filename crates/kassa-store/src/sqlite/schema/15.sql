-- Money that vendors still have to give back.
CREATE INDEX payments_returning ON payments (vendor, id) WHERE status = 'returning'; -- what a vendor gives back
