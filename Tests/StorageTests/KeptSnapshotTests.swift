import Basics
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

/// The requests of one turn of a loop read one snapshot, unless something is committed between them.
@Suite("Snapshots of a loop")
struct KeptSnapshotTests {
  /// A loop whose turns the test ends.
  private final class ManualLoop: DescriptorWatcher {
    struct Unused: Error {}
    private var actions: [() -> Void] = []

    func makeWatch(of _: Int32, _: @escaping (DescriptorEvents) -> Void) throws -> any DescriptorWatch {
      throw Unused()
    }
    func makeTimer(_: @escaping () -> Void) -> any WatcherTimer { preconditionFailure("This loop has no timers.") }
    func whenTurnsEnd(_ action: @escaping () -> Void) { actions.append(action) }
    func endTurn() { for action in actions { action() } }
  }

  /// The statements that a request of a loop runs, with BEGIN and COMMIT.
  private static func statements(of readers: LoopReaders) throws -> [String] {
    let reader = try readers.take()
    _ = try reader.entries()
    readers.giveBack(reader)
    return reader.trace?.take().map(\.sql) ?? []
  }

  @Test func `begin with the first request and end with the turn`() async throws {
    let temporary = try TemporaryDatabase(measuresStatements: true)
    let loop = ManualLoop()
    let readers = temporary.database.makeLoopReaders(on: loop)
    let select = StatementText.selectEntries.text
    #expect(try Self.statements(of: readers) == ["BEGIN", select])
    #expect(try Self.statements(of: readers) == [select])
    loop.endTurn()
    #expect(try Self.statements(of: readers) == ["COMMIT", "BEGIN", select])
    loop.endTurn()
    loop.endTurn()
    #expect(try readers.take().trace?.take().map(\.sql) == ["COMMIT"])
  }

  @Test func `are replaced after a commit within a turn`() async throws {
    let temporary = try TemporaryDatabase(measuresStatements: true)
    let readers = temporary.database.makeLoopReaders(on: ManualLoop())
    _ = try Self.statements(of: readers)
    try await temporary.insert(1)
    #expect(try Self.statements(of: readers).prefix(2) == ["COMMIT", "BEGIN"])
    let reader = try readers.take()
    #expect(try reader.entries() == [1])
    // A request sees one snapshot, whatever is written meanwhile.
    try await temporary.insert(2)
    #expect(try reader.entries() == [1])
    readers.giveBack(reader)
    #expect(try readers.take().entries() == [1, 2])
  }

  /// The other requests use the same reader.
  @Test func `end with the turn also if a request waits within its reading`() async throws {
    let temporary = try TemporaryDatabase()
    let loop = ManualLoop()
    let reader = try temporary.database.makeLoopReaders(on: loop).take()
    #expect(try reader.entries() == [])
    try await temporary.insert(1)
    loop.endTurn()
    #expect(try reader.entries() == [1])
  }

  @Test func `are not kept after a request that was interrupted`() async throws {
    var limits = DatabaseLimits()
    limits.loopTurn.steps = 10_000
    let temporary = try TemporaryDatabase(limits: limits, measuresStatements: true)
    let readers = temporary.database.makeLoopReaders(on: ManualLoop())
    let reader = try readers.take()
    #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
    readers.giveBack(reader)
    _ = reader.trace?.take()
    #expect(try Self.statements(of: readers).first == "BEGIN")
  }

  /// The log is emptied when somebody's data is erased.
  @Test func `do not keep the log from being emptied once the turn has ended`() async throws {
    let temporary = try TemporaryDatabase()
    let loop = ManualLoop()
    let readers = temporary.database.makeLoopReaders(on: loop)
    for number in 1...50 { try await temporary.insert(Int64(number)) }
    let reader = try readers.take()
    #expect(try reader.entries().count == 50)
    readers.giveBack(reader)
    #expect(try await logBytes(of: temporary, afterEmptyingFor: 51) > 100_000)
    loop.endTurn()
    #expect(try await logBytes(of: temporary, afterEmptyingFor: 52) < 20_000)
  }

  private func logBytes(of temporary: TemporaryDatabase, afterEmptyingFor number: Int64) async throws -> Int {
    try await temporary.database.write { transaction in
      try transaction.insert(number)
      transaction.emptyLogAfterCommit()
    }
    // The writer empties the log before it takes the next write.
    try await temporary.database.write { _ in }
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")
    return attributes[.size] as? Int ?? 0
  }

  /// Any request that begins after a write was acknowledged sees it.
  @Test func `are never older than an acknowledged write`() async throws {
    let temporary = try TemporaryDatabase()
    let acknowledged = Atomic<Int64>(0)
    let writes: Int64 = 2_000
    let database = temporary.database
    // It reads without a pause, which would keep a thread of other tests, and of the writes.
    let reading = TestThread {
      let loop = ManualLoop()
      let readers = database.makeLoopReaders(on: loop)
      var requests = 0
      var seen: Int64 = 0
      while seen < writes {
        let known = acknowledged.load(ordering: .sequentiallyConsistent)
        guard known >= 0 else { break }
        let reader = try readers.take()
        seen = try reader.statement(.lastEntry).first { row in row.int64(0) } ?? 0
        readers.giveBack(reader)
        guard seen >= known else { throw Outdated(seen: seen, known: known) }
        requests += 1
        if requests.isMultiple(of: 7) { loop.endTurn() }
      }
    }
    do {
      for number in 1...writes {
        try await temporary.insert(number)
        acknowledged.store(number, ordering: .sequentiallyConsistent)
      }
    } catch {
      acknowledged.store(-1, ordering: .sequentiallyConsistent)
      throw error
    }
    try await reading.value
  }

  private struct Outdated: Error {
    let seen: Int64
    let known: Int64
  }
}

extension StatementText {
  fileprivate static let lastEntry = StatementText("SELECT coalesce(max(id), 0) FROM entry")
}
