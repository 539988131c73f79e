-- When each customer logged in last, for the list of customers in that order. Sessions are deleted after a while.
ALTER TABLE customers ADD COLUMN last_login_at timestamptz;
UPDATE customers c
   SET last_login_at = (SELECT max(s.created_at) FROM sessions s WHERE s.person_id = c.id)
 WHERE deleted_at IS NULL;
-- Customers who never logged in are before the earliest login.
CREATE INDEX customers_last_login ON customers (last_login_at DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
