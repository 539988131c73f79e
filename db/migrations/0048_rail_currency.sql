-- A file's currency, or '' if its lines are in several. Null: outgoing, or stored by a server of 1.0.0. Files can have 100,000
-- lines, which a list of files must not read.
ALTER TABLE rail_files ADD COLUMN currency text;
GRANT UPDATE (currency) ON rail_files TO larkspur_app;
