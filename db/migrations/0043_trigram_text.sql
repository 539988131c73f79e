-- Listed names of any alphabet are found. pg_trgm takes letters by the database's LC_CTYPE. If that is C, as in the embedded
-- database, names in Cyrillic, Greek, Arabic or Chinese have no trigrams and were never found.

-- A folded name in which each letter beyond ASCII is replaced by an ASCII letter or digit, so that it has trigrams everywhere.
-- Neighbors in an alphabet get different ones. Only the search for candidates uses it; then the names themselves are compared.
CREATE FUNCTION trigram_text(p_folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(p_folded) = length(p_folded) THEN RETURN p_folded; END IF;
  RETURN (
    SELECT string_agg(
             CASE WHEN ascii(letter) < 128 THEN letter
                  ELSE substr('abcdefghijklmnopqrstuvwxyz0123456789', ascii(letter) % 36 + 1, 1) END, '' ORDER BY place)
      FROM string_to_table(p_folded, NULL) WITH ORDINALITY AS l(letter, place));
END $$;
