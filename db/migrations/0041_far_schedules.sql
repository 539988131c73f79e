-- Ends the scheduled transfers whose next date is after 9999-12-31.
-- Outside a transaction
CALL end_far_schedules();
