-- The main name of the matched entry, for when the list no longer has the entry. NULL for matches that were stored before.
ALTER TABLE screening_hits ADD COLUMN main_name text;
