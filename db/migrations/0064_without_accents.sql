-- A text without accents, for searches. A text of only ASCII has none, and taking it apart would be slow. With the usual cost of
-- a function, the planner would search for short texts in an index that cannot narrow them down.
CREATE FUNCTION without_accents(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2 AS $$
BEGIN
  IF octet_length(p_text) = char_length(p_text) THEN RETURN p_text; END IF;
  RETURN regexp_replace(normalize(p_text, NFD), '[\u0300-\u036f]', '', 'g');
END $$;
GRANT EXECUTE ON FUNCTION without_accents TO larkspur_app;
