-- Money that vendors still have to give back.
CREATE INDEX IF NOT EXISTS payments_returning ON payments (vendor, id) WHERE status = 'returning'; -- what a vendor gives back
