-- The audit log by the transaction, request or schedule that a record names in its data, and the requests by transaction, so
-- that a search for a reference also finds who made, asked for and approved it. Of most records, including those of postings,
-- nothing is in the first index.
-- Outside a transaction
CREATE INDEX CONCURRENTLY audit_log_named ON audit_log
  ((coalesce(data->>'transaction', data->>'reverses', data->>'claims', data->>'request', data->>'schedule')))
  WHERE action <> 'transactions.posted'
    AND coalesce(data->>'transaction', data->>'reverses', data->>'claims', data->>'request', data->>'schedule') IS NOT NULL;
CREATE INDEX CONCURRENTLY approval_requests_about ON approval_requests (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX CONCURRENTLY approval_requests_result ON approval_requests (result_id) WHERE result_id IS NOT NULL;
