-- Adding a job with a key first looks for a running job with the same key. If the table of jobs was analyzed while it was
-- empty, the planner expects a single row. It then reads all jobs instead of looking up the key, until the table is analyzed
-- again: each payment to another bank would read all payments that wait. With these settings, only a lookup by key is left.
ALTER FUNCTION enqueue_payment_jobs SET enable_seqscan = off;
ALTER FUNCTION enqueue_payment_jobs SET enable_indexscan = off;
ALTER FUNCTION enqueue_job SET enable_seqscan = off;
ALTER FUNCTION enqueue_job SET enable_indexscan = off;
ALTER FUNCTION enqueue_job_in SET enable_seqscan = off;
ALTER FUNCTION enqueue_job_in SET enable_indexscan = off;
