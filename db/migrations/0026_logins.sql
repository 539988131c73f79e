-- When each customer logged in last, for the list of customers in that order. A table of its own: a login must not write the
-- row of the customer, because the queues and counts of customers are read from indexes alone.
CREATE TABLE last_logins (
  customer_id uuid PRIMARY KEY,
  -- NULL: never.
  at timestamptz
);
-- Customers who never logged in are before the earliest login.
CREATE INDEX last_logins_newest ON last_logins (at DESC NULLS LAST, customer_id DESC);
GRANT SELECT, INSERT, UPDATE (at), DELETE ON last_logins TO larkspur_app;

CREATE FUNCTION insert_last_login() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO last_logins (customer_id) SELECT id FROM made;
  RETURN NULL;
END $$;
CREATE TRIGGER insert_last_login AFTER INSERT ON customers REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION insert_last_login();

INSERT INTO last_logins (customer_id, at)
SELECT c.id, (SELECT max(s.created_at) FROM sessions s WHERE s.person_id = c.id)
  FROM customers c WHERE c.deleted_at IS NULL;
