import TestSupport
import Testing

@testable import Storage

/// The times of a connection's statements, for the slow log and for callers who may see them.
@Suite("Times of statements")
struct StatementTraceTests {
  /// FTS5 prepares statements of its own for a search, and finalizes them at its end.
  @Test func `include statements that do not exist any more`() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.path + "/file.db", mode: .write, busyTimeout: .seconds(1))
    connection.measureStatements()
    let texts = (0..<20).map { "SELECT \($0) AS a_column_whose_name_takes_the_text_to_the_heap_\($0)" }
    for text in texts { #expect(try connection.int64(of: text) == Int64(text.split(separator: " ")[1])) }
    let times = try #require(connection.trace).take()
    #expect(times.map(\.sql) == texts)
    #expect(times.allSatisfy { $0.count == 1 })
  }
}
