-- The state of the bank as a whole: one row.
CREATE TABLE bank_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Identifies this database. A copy of it is written into the folder of pictures, which belongs to this database alone.
  bank_id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Since when the bank is held after a restore: until it is released, no job runs, so no mail and no payment leaves it and
  -- nothing is deleted.
  held_since timestamptz
);
INSERT INTO bank_state DEFAULT VALUES;
GRANT SELECT ON bank_state TO larkspur_app;
