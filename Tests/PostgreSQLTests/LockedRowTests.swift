import Basics
import TestSupport
import Testing

@testable import PostgreSQL

/// Another program keeps a row locked that one of the writes changes.
@Suite("Writes of a locked row", .needsPostgreSQL)
struct LockedRowTests {
  private static let schema =
    CommitToken.table + """
      CREATE TABLE counter (id bigint PRIMARY KEY, value bigint NOT NULL);
      INSERT INTO counter VALUES (1, 0), (2, 0);
      """
  private static let addition = ServerStatement("UPDATE counter SET value = value + 1 WHERE id = $1", types: [.int8])

  private func writer(_ database: TestDatabase) throws -> ServerWriter {
    var options = ServerWriterOptions()
    options.groupedWrites = 32
    // Without the other writes between, theirs end with `overloaded`.
    options.writeTimeout = .seconds(8)
    var way = database.options
    way.lockTimeout = .milliseconds(50)
    return try ServerWriter(way, options: options)
  }

  /// A transaction that has changed the first row and does not end.
  private func lock(_ database: TestDatabase) async throws -> BlockingTestConnection {
    let other = try await database.connect()
    try await other.run("BEGIN")
    try await other.run("UPDATE counter SET value = 100 WHERE id = 1")
    return other
  }

  private static func raise(_ id: Int64, by writer: ServerWriter) async throws {
    try await writer.write(about: WriteDomain(id)) { transaction in
      transaction.run(addition, ParameterBuffer(id))
    }
  }

  private func values(_ database: TestDatabase) async throws -> [Int64] {
    try await database.connect().numbers("SELECT value FROM counter ORDER BY id")
  }

  @Test func `do not delay the writes of other rows, and are done once the row is free`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let other = try await lock(database)
    async let locked: Void = Self.raise(1, by: writer)
    while writer.counts.values.retried == 0 { await Task.yield() }
    for _ in 0..<5 { try await Self.raise(2, by: writer) }
    #expect(try await values(database) == [0, 5])
    try await other.run("ROLLBACK")
    try await locked
    #expect(try await values(database) == [1, 5])
    await writer.close()
  }

  @Test func `do not delay the writes with which they share a transaction`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let other = try await lock(database)
    let (isRunning, mayEnd) = (Gate(), Monitor(false))
    async let first: Void = writer.write(about: WriteDomain()) { _ in
      isRunning.open()
      mayEnd.wait { $0 ? () : nil }
    }
    await isRunning.pass()
    async let locked: Void = Self.raise(1, by: writer)
    while writer.waitingWrites < 1 { await Task.yield() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 { group.addTask { try await Self.raise(2, by: writer) } }
      while writer.waitingWrites < 6 { await Task.yield() }
      mayEnd.withLock { isOpen, _ in isOpen = true }
      mayEnd.broadcast()
      try await group.waitForAll()
    }
    try await first
    #expect(try await values(database) == [0, 5])
    try await other.run("ROLLBACK")
    try await locked
    #expect(try await values(database) == [1, 5])
    await writer.close()
  }

  @Test func `fail when the row stays locked, also after the writer is closed`() async throws {
    let database = try await TestDatabase(Self.schema)
    var options = ServerWriterOptions()
    options.writeTimeout = .milliseconds(300)
    var way = database.options
    way.lockTimeout = .milliseconds(50)
    let writer = try ServerWriter(way, options: options)
    let other = try await lock(database)
    async let failure = error { try await Self.raise(1, by: writer) }
    while writer.counts.values.retried == 0 { await Task.yield() }
    await writer.close()
    #expect(await failure?.code == .overloaded)
    try await other.run("ROLLBACK")
    #expect(try await values(database) == [0, 0])
  }
}
