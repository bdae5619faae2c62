import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Storage

@Suite("A new file for the rows of another database")
struct NewFileTests {
  struct BodyError: Error {}

  private let directory: TemporaryDirectory
  private var folder: String { directory.path }
  private var path: String { folder + "/new.db" }

  init() throws { directory = try TemporaryDirectory() }

  private func make(_ sql: String, derived: Set<String> = []) throws -> NewFile {
    try NewFile(
      path: path,
      migrations: [Migration(1, name: "one", sql: sql)],
      rules: CopyRules(derived: derived, fileStatements: [], postgreSQLStatements: [])
    )
  }

  @Test func `gets its name when it is finished, and does not replace a file that has appeared meanwhile`() throws {
    for appears in [true, false] {
      let file = try make("CREATE TABLE number(value INTEGER) STRICT")
      #expect(FileCalls.names(in: folder).contains { $0.hasSuffix(".partial") })
      guard appears else {
        try file.finish()
        break
      }
      try Data([1]).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: DatabaseError.self) { try file.finish() }
      #expect(error?.code == .destinationExists)
      #expect(error?.message == "\(path) exists already, and is not replaced.")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(FileCalls.names(in: folder) == ["new.db"])
  }

  /// A folder that cannot be read cannot be synchronized. The superuser can read all.
  @Test(.enabled(if: geteuid() != 0))
  func `is deleted if its name is not durable, and so is a record beside it`() throws {
    let file = try make("CREATE TABLE number(value INTEGER) STRICT")
    chmod(folder, 0o300)
    let error = #expect(throws: DatabaseError.self) { try file.finish() }
    let database = try #require(FileStatus(of: folder))
    let other = #expect(throws: DatabaseError.self) { try UseRecord(.open, database: database).write(beside: path) }
    chmod(folder, 0o700)
    #expect(error?.code == .destinationUnusable && other?.code == .inputOutput)
    #expect(FileCalls.names(in: folder) == [])
  }

  @Test func `that is not finished is deleted`() throws {
    #expect(throws: DatabaseError.self) { try make("CREATE TABLE number(value INTEGER) STRICT; nothing") }
    #expect(FileCalls.names(in: folder) == [])
  }

  @Test func `has no further row read once one could not be used`() throws {
    let file = try make(
      """
      CREATE VIEW failing AS
      WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 3)
      SELECT abs(-9223372036854775805 - x) AS value FROM n
      """
    )
    let view = CopiedTable(name: "failing", columns: [CopiedTable.Column(name: "value", type: .integer)])
    // There is no absolute value of the least integer.
    #expect(throws: DatabaseError.self) { try file.forEachBatch(of: view, rows: 1) { _ in } }
    #expect(throws: BodyError.self) { try file.forEachBatch(of: view, rows: 1) { _ in throw BodyError() } }
  }

  @Test func `may have derived tables with columns of any type`() throws {
    let file = try make(
      "CREATE TABLE number(value INTEGER) STRICT; CREATE TABLE word(weight REAL) STRICT",
      derived: ["word"]
    )
    #expect(try file.tables().map(\.name) == ["number"])
  }
}
