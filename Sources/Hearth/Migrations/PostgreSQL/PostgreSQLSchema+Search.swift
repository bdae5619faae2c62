extension PostgreSQLSchema {
  /// The search index: a row for each word of an object and for each beginning of a word. It takes the expressions of
  /// `SearchQuery`, which FTS5 understands too.
  static let search = """
    -- The words of a text of SearchWords, and their beginnings with a star before them. The separators are left out.
    CREATE FUNCTION search_words_of(words text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
      SELECT w FROM unnest(string_to_array(words, ' ')) AS u (w) WHERE w NOT IN ('', 's')
      UNION
      SELECT '*' || left(w, n) FROM unnest(string_to_array(words, ' ')) AS u (w), generate_series(2, 6) AS n
      WHERE w NOT IN ('', 's') AND length(w) >= n
    $$;

    CREATE FUNCTION index_search_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM search_word WHERE word IN (SELECT search_words_of(OLD.words)) AND id = OLD.id;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO search_word (word, id) SELECT w, NEW.id FROM search_words_of(NEW.words) AS s (w);
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER search_entry_indexed AFTER INSERT OR DELETE OR UPDATE OF words ON search_entry FOR EACH ROW
    EXECUTE FUNCTION index_search_entry();

    -- The query for the keys above $1 of the objects with a phrase, such as `"nann nlee" *` of SearchQuery. Phrases
    -- contain only letters and digits; the quotation by %L is a second safeguard.
    CREATE FUNCTION search_phrase_query(phrase text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      is_prefix boolean := phrase LIKE '%*';
      words text := rtrim(replace(phrase, '"', ''), ' *');
      first_word text := split_part(words, ' ', 1);
    BEGIN
      IF words <> first_word THEN
        RETURN format('SELECT w.id FROM search_word AS w JOIN search_entry AS e ON e.id = w.id '
          'WHERE w.word = %L AND w.id > $1 AND strpos('' '' || e.words || '' '', %L) > 0',
          first_word, ' ' || words || CASE WHEN is_prefix THEN '' ELSE ' ' END);
      ELSIF NOT is_prefix THEN
        RETURN format('SELECT w.id FROM search_word AS w WHERE w.word = %L AND w.id > $1', first_word);
      ELSIF length(first_word) BETWEEN 2 AND 6 THEN
        RETURN format('SELECT w.id FROM search_word AS w WHERE w.word = %L AND w.id > $1', '*' || first_word);
      ELSE
        RETURN format('SELECT DISTINCT w.id FROM search_word AS w WHERE w.word >= %L AND w.word < %L AND w.id > $1',
          first_word, first_word || chr(1114111));
      END IF;
    END
    $$;

    -- The query for the keys of the objects that match an expression of SearchQuery without NOT, such as
    -- `(("nann" OR "oann") AND ("nlee" * OR "olee" *))`. Words are read in the order of the keys, so that a limit ends
    -- it.
    CREATE FUNCTION search_terms_query(expression text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      term text;
      source text;
      sources text := '';
      number integer := 0;
    BEGIN
      FOREACH term IN ARRAY string_to_array(trim(both '()' from expression), ') AND (') LOOP
        SELECT string_agg(format('(%s)', search_phrase_query(phrase)), ' UNION ALL ') INTO source
        FROM unnest(string_to_array(term, ' OR ')) AS p (phrase);
        IF strpos(term, ' OR ') > 0 THEN source := format('SELECT DISTINCT u.id FROM (%s) AS u', source); END IF;
        number := number + 1;
        sources := sources || CASE WHEN number = 1 THEN '' ELSE ' JOIN ' END || format('(%s) AS t%s', source, number)
          || CASE WHEN number = 1 THEN '' ELSE ' USING (id)' END;
      END LOOP;
      RETURN 'SELECT id FROM ' || sources;
    END
    $$;

    -- A condition on `e.words`, the words of an object: it matches an expression of SearchQuery.
    CREATE FUNCTION search_condition(expression text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      token text[];
      words text;
      condition text := '';
    BEGIN
      FOR token IN SELECT regexp_matches(expression, '("[^"]+")( \\*)?|(\\(|\\)|AND|OR)', 'g') LOOP
        words := ' ' || replace(token[1], '"', '') || CASE WHEN token[2] IS NULL THEN ' ' ELSE '' END;
        condition := condition || ' ' || coalesce(token[3], format('strpos('' '' || e.words || '' '', %L) > 0', words));
      END LOOP;
      RETURN condition;
    END
    $$;

    -- The query for the keys above $1 of the objects that match an expression of SearchQuery.
    CREATE FUNCTION search_query(expression text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      parts text[] := string_to_array(expression, ' NOT ');
      matches text;
    BEGIN
      IF parts[1] LIKE '%)) OR ((%' THEN
        SELECT string_agg(format('(%s)', search_terms_query(part)), ' UNION ') INTO matches
        FROM unnest(string_to_array(parts[1], ')) OR ((')) AS p (part);
        matches := format('SELECT id FROM (%s) AS m', matches);
      ELSE
        matches := format('SELECT id FROM (%s) AS m', search_terms_query(parts[1]));
      END IF;
      IF parts[2] IS NOT NULL THEN
        matches := format('%s WHERE NOT (SELECT %s FROM search_entry AS e WHERE e.id = m.id)', matches,
          search_condition(parts[2]));
      END IF;
      RETURN matches;
    END
    $$;

    -- The keys above `above` of the objects that match an expression of SearchQuery, the lowest first. Without hash
    -- tables and copies, each step passes its rows on in the order of the keys, and the limit ends all of them.
    CREATE FUNCTION search_index_matches(expression text, above bigint, at_most bigint) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SET enable_hashagg = off SET enable_hashjoin = off SET enable_material = off AS $$
    BEGIN
      RETURN QUERY EXECUTE search_query(expression) || ' ORDER BY id LIMIT $2' USING above, at_most;
    END
    $$;

    -- The same for the keys below `below`, the highest first. The words of a query have only letters and digits, so the
    -- replacement changes conditions only.
    CREATE FUNCTION search_index_matches_before(expression text, below bigint, at_most bigint) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SET enable_hashagg = off SET enable_hashjoin = off SET enable_material = off AS $$
    BEGIN
      RETURN QUERY EXECUTE replace(search_query(expression), 'w.id > $1', 'w.id < $1') || ' ORDER BY id DESC LIMIT $2'
      USING below, at_most;
    END
    $$;
    """
}
