-- A line that was added while the database's clock was ahead becomes due when the clock is right again.
GRANT UPDATE (due_at) ON rail_outgoing TO larkspur_app;
