import Storage
import Testing

@testable import Hearth

extension TestServer {
  /// Copies the only chore of the database `count` times, with its assignments. No write needs a large budget.
  func copyChore(_ count: Int) async throws {
    for start in stride(from: 0, to: count, by: 200) {
      let statements = [
        """
        WITH RECURSIVE n(x) AS (SELECT \(start + 1) UNION ALL SELECT x + 1 FROM n WHERE x < \(min(start + 200, count)))
        INSERT INTO chore (
          family_id, id, name, priority, frequency, status, assignees, created_by, created_at, updated_at
        )
        SELECT c.family_id, c.id + 64 * (1000000 + n.x), c.name, c.priority, c.frequency, c.status, c.assignees,
          c.created_by, c.created_at, c.updated_at
        FROM chore AS c, n WHERE c.id = (SELECT min(id) FROM chore)
        """,
        """
        INSERT INTO assignment (family_id, member_id, status, priority_order, due_order, chore_id)
        SELECT c.family_id, a.member_id, c.status, c.priority_order, c.due_order, c.id
        FROM chore AS c, assignment AS a
        WHERE c.id > (SELECT max(chore_id) FROM assignment) AND a.chore_id = (SELECT min(id) FROM chore)
        """,
      ]
      try await services.database.write { transaction in
        for text in statements { try transaction.statement(WrittenOnce.sql(text)).run() }
      }
    }
    try #require(try rows("SELECT count(*) FROM chore", columns: 1) == [[Int64(count) + 1]])
  }
}
