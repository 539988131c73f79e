-- Customers whose name resembles more entries of the sanctions list than one screening stores, and how many were left out.
CREATE TABLE screening_more_matches (
  customer_id uuid PRIMARY KEY,
  count integer NOT NULL CHECK (count > 0)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON screening_more_matches TO larkspur_app;
