extension DatabaseSetup {
  /// Fails if the user lacks a right on a table or sequence that these texts create. Otherwise a server would start,
  /// and fail at the first request that needs the right.
  func requireRights(onAllOf texts: [String], _ connection: BlockingConnection) throws(StartFailure) {
    let names = texts.flatMap { text in text.matches(of: /CREATE (?:TABLE|SEQUENCE) (\w+)/).map { String($0.1) } }
    // A function for tables fails for a sequence, and the other way round.
    let missing = try reading { () throws(PostgreSQLError) in
      try connection.run(
        """
        SELECT c.relname::text, r.name FROM pg_class AS c CROSS JOIN (VALUES ('r', 'SELECT'), ('r', 'INSERT'), \
        ('r', 'UPDATE'), ('r', 'DELETE'), ('S', 'USAGE')) AS r (kind, name) \
        WHERE c.relnamespace = current_schema()::regnamespace \
        AND c.relname = ANY ('{\(names.joined(separator: ","))}'::name[]) \
        AND CASE WHEN c.relkind::text <> r.kind THEN false \
        WHEN r.kind = 'S' THEN NOT has_sequence_privilege(c.oid, r.name) \
        ELSE NOT has_table_privilege(c.oid, r.name) END ORDER BY 1, 2
        """
      )
    }
    guard missing.count > 0 else { return }
    let others = missing.count > 1 ? " and \(missing.count - 1) others" : ""
    throw StartFailure(
      .missingRights,
      description: "The user of the database \(url) lacks the right \(missing.text(0, 1)) on \(missing.text(0, 0))"
        + "\(others): grant SELECT, INSERT, UPDATE and DELETE on all tables, and USAGE on key_block."
    )
  }
}
