-- A decision about a match counts until the entry or the customer's name changes. `is_gone`: the last screening did not find the
-- match. `former_decision`: the decision that no longer counts; `decided_by`, `decided_at` and `reason` are then those of this
-- decision. `match` or `no-match`. On a cleared match: it was cleared while it was gone.
ALTER TABLE screening_hits ADD COLUMN is_gone boolean NOT NULL DEFAULT false, ADD COLUMN former_decision text;
