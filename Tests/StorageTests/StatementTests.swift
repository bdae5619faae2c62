import Storage
import Testing

@Suite("Statement")
struct StatementTests {
  let temporary: TemporaryDatabase
  let reader: Reader

  init() throws {
    temporary = try TemporaryDatabase()
    reader = try temporary.database.makeReader()
  }

  static let echo = StatementText("SELECT ?1, typeof(?1), ?2, typeof(?2)")

  @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
  func `returns the bound integer`(value: Int64) throws {
    let statement = try reader.statement(Self.echo)
    try statement.bind(value, at: 1)
    let found = try statement.first { row in (row.int64(0), row.string(1), row.isNull(2)) }
    #expect(found?.0 == value)
    #expect(found?.1 == "integer")
    #expect(found?.2 == true)
  }

  @Test(arguments: ["", "a", "grüße 👨‍👩‍👧", "nul\0inside", String(repeating: "x", count: 100_000)])
  func `returns the bound text, and empty is not NULL`(value: String) throws {
    let statement = try reader.statement(Self.echo)
    try statement.bind(value, at: 1)
    let found = try statement.first { row in (row.string(0), row.string(1), row.text(0).count) }
    #expect(found?.0 == value)
    #expect(found?.1 == "text")
    #expect(found?.2 == value.utf8.count)
  }

  @Test(arguments: [[], [0], [1, 0, 255] as [UInt8]])
  func `returns the bound bytes, and empty is not NULL`(value: [UInt8]) throws {
    let statement = try reader.statement(Self.echo)
    try value.withUnsafeBytes { bytes in try statement.bind(blob: bytes, at: 1) }
    let found = try statement.first { row in (Array(row.blob(0)), row.string(1)) }
    #expect(found?.0 == value)
    #expect(found?.1 == "blob")
  }

  @Test func `binds doubles, booleans and absent values`() throws {
    let statement = try reader.statement(Self.echo)
    try statement.bind(0.5, at: 1)
    try statement.bind(true, at: 2)
    let found = try statement.first { row in (row.double(0), row.bool(2)) }
    #expect(found?.0 == 0.5)
    #expect(found?.1 == true)
    try statement.bind(nil as String?, at: 1)
    try statement.bind(nil as Int64?, at: 2)
    let absent = try statement.first { row in (row.optionalString(0), row.optionalInt64(2)) }
    #expect(absent?.0 == nil)
    #expect(absent?.1 == nil)
  }

  @Test func `forgets earlier bindings`() throws {
    let statement = try reader.statement(Self.echo)
    try statement.bind("secret", at: 1)
    try statement.run()
    #expect(try reader.statement(Self.echo).first { row in row.isNull(0) } == true)
  }

  @Test func `is prepared once`() throws {
    #expect(try reader.statement(Self.echo) == reader.statement(Self.echo))
  }

  @Test func `can be reused after its last row`() throws {
    let statement = try reader.statement(Self.echo)
    for value in 1...2 as ClosedRange<Int64> {
      try statement.bind(value, at: 1)
      var values: [Int64] = []
      try statement.forEachRow { row in values.append(row.int64(0)) }
      #expect(values == [value])
    }
  }

  @Test func `can be reused after stopping before its end`() throws {
    for _ in 0..<2 {
      var rows = 0
      try? reader.statement(.threeRows).forEachRow { row throws(DatabaseError) in
        rows += 1
        if row.int64(0) == 2 { throw DatabaseError(.misuse, message: "stop") }
      }
      #expect(rows == 2)
    }
  }

  @Test(arguments: [
    ("SELECT one FROM nowhere", "no such table: nowhere"),
    (
      "SELECT \"misspelt\"",
      "no such column: \"misspelt\" - should this be a string literal in single-quotes?"
    ),
    ("SELECT 1; SELECT 2", "Expected one statement."),
    ("", "Expected one statement."),
  ])
  func `is rejected with a message`(text: String, message: String) throws {
    let error = #expect(throws: DatabaseError.self) { try reader.statement(StatementText(text)) }
    #expect(error?.code == .misuse)
    #expect(error?.message == message)
    #expect(error?.sql == text)
  }

  /// SQLite searches an index for the pattern "zz%", but not for "%zz", if the plan may depend on the pattern.
  @Test func `has one plan, whatever its values are`() throws {
    let words = Migration(
      1,
      name: "words",
      sql: """
        CREATE TABLE word(text TEXT COLLATE NOCASE PRIMARY KEY) STRICT, WITHOUT ROWID;
        INSERT INTO word WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 100) \
        SELECT 'word ' || x FROM n;
        """
    )
    let temporary = try TemporaryDatabase(migrations: [words])
    let reader = try temporary.database.makeReader()
    let statement = try reader.statement(.wordsLike)
    let steps = try ["zz%", "%zz", "zz%"].map { pattern in
      try statement.bind(pattern, at: 1)
      try statement.run()
      return statement.takeSteps()
    }
    withExtendedLifetime(reader) { #expect(Set(steps).count == 1) }
  }

  @Test func `rejects a parameter that does not exist`() throws {
    let error = #expect(throws: DatabaseError.self) { try reader.statement(Self.echo).bind(1 as Int64, at: 3) }
    #expect(error?.code == .misuse)
  }
}

extension StatementText {
  fileprivate static let wordsLike = StatementText("SELECT 1 FROM word WHERE text LIKE ?1")
  fileprivate static let threeRows = StatementText(
    "SELECT value FROM (SELECT 1 AS value UNION ALL SELECT 2 UNION ALL SELECT 3)"
  )
}
