import Testing

/// Checks the rows of a table one after the other, for tests that need one server for all of them. What `check` throws
/// is an issue of that row, and the others are checked too. Expectations have the row as their comment.
func checkEach<Row>(_ rows: some Sequence<Row>, _ check: (Row) async throws -> Void) async {
  for row in rows {
    do { try await check(row) } catch { Issue.record(error, "\(row)") }
  }
}
