-- A new sanctions list is searched as fast as an older one.

-- An insert appends to a list of pending entries of the index, which every search reads from start to end: right after an
-- import, a search took ten times as long, until autovacuum ran. Only the owner of the index may move them into it.
-- (fastupdate = off would also avoid the list, but then an import takes ten times as long.)
CREATE FUNCTION flush_screening_names() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT gin_clean_pending_list('screening_names_folded')
$$;
REVOKE ALL ON FUNCTION flush_screening_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flush_screening_names TO larkspur_app;
