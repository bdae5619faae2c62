import Basics
import Storage
import Testing

@Suite("Reader whose statements are not answered at once")
struct DeferredReaderTests {
  private let temporary: TemporaryDatabase
  private let readers: LoopReaders
  private let reader: Reader

  init() throws {
    var limits = DatabaseLimits()
    limits.loopTurn.steps = 10_000
    limits.readSteps = 100_000
    temporary = try TemporaryDatabase(limits: limits, defersReads: true)
    readers = temporary.database.makeLoopReaders(on: NoLoop())
    reader = try readers.take()
  }

  @Test func `a statement has no rows in the first pass, and all in the next`() async throws {
    try await temporary.insert(1)
    #expect(!reader.answersAtOnce)
    var passes: [[Int64]] = []
    let found = try await reader.inPasses {
      passes.append(try reader.entries())
      return try reader.entries()
    }
    #expect(passes == [[], [1]])
    #expect(found == [1])
  }

  @Test func `statements that depend on each other take a pass more each`() async throws {
    for id in 1...3 as ClosedRange<Int64> { try await temporary.insert(id) }
    var passes = 0
    let last = try await reader.inPasses {
      passes += 1
      var id: Int64 = 0
      while let next = try reader.first(of: .next, id, { row in row.int64(0) }) { id = next }
      return id
    }
    #expect(last == 3)
    #expect(passes == 5)
  }

  @Test func `statements that differ in each pass are an error`() async throws {
    var number: Int64 = 0
    await #expect(throws: DatabaseError.self) {
      try await reader.inPasses {
        number += 1
        _ = try reader.first(of: .next, number) { row in row.int64(0) }
      }
    }
  }

  @Test func `parameters and values of every type arrive as they are`() async throws {
    let values = Values(
      number: .min,
      fraction: 0.5,
      text: "naïve \u{0}",
      empty: "",
      bytes: [0, 1, 255],
      missing: nil,
      keys: [3, 1, 2]
    )
    let (found, keys) = try await reader.inPasses {
      let found = try reader.first(of: .values, values) { row in
        #expect(row.isNull(5))
        #expect(row.int64(5) == 0 && row.double(5) == 0 && row.text(5).baseAddress == nil && row.blob(5).isEmpty)
        #expect(row.text(3).baseAddress != nil)
        return Values(
          number: row.int64(0),
          fraction: row.double(1),
          text: row.string(2),
          empty: row.string(3),
          bytes: Array(row.blob(4)),
          missing: row.optionalInt64(5),
          keys: []
        )
      }
      return (found, try reader.all(of: .keys, values) { row in row.int64(0) })
    }
    #expect(found?.number == values.number && found?.fraction == values.fraction && found?.text == values.text)
    #expect(found?.empty == "" && found?.bytes == values.bytes && found?.missing == nil)
    #expect(keys == values.keys)
  }

  @Test func `the same statement with other parameters is another one`() async throws {
    try await temporary.insert(1)
    try await temporary.insert(2)
    let found = try await reader.inPasses {
      try [0, 1, 2].map { id in try reader.first(of: .next, id) { row in row.int64(0) } }
    }
    #expect(found == [1, 2, nil])
  }

  @Test func `all passes see one snapshot, until its end`() async throws {
    try await temporary.insert(1)
    #expect(try await reader.inPasses { try reader.entries() } == [1])
    try await temporary.insert(2)
    #expect(try await reader.inPasses { try reader.entries() } == [1])
    reader.forgetAnswers()
    #expect(try await reader.inPasses { try reader.entries() } == [1])
    reader.endRead()
    #expect(try await reader.inPasses { try reader.entries() } == [1, 2])
  }

  @Test func `other readers of the loop have other snapshots`() async throws {
    try await temporary.insert(1)
    #expect(try await reader.inPasses { try reader.entries() } == [1])
    try await temporary.insert(2)
    let other = try readers.take()
    #expect(other !== reader)
    #expect(try await other.inPasses { try other.entries() } == [1, 2])
    readers.giveBack(other)
    #expect(try readers.take() === other)
  }

  @Test func `reading outside of a pass is an error, not an empty result`() throws {
    let error = #expect(throws: DatabaseError.self) { try reader.entries() }
    #expect(error?.code == .misuse)
  }

  @Test func `a failed statement fails in the pass after`() async throws {
    let error = await #expect(throws: DatabaseError.self) {
      try await reader.inPasses { try reader.statement(.endless).run() }
    }
    #expect(error?.code == .budgetExceeded)
    #expect(reader.isOverdue && !reader.isExhausted)
    reader.endRead()
    #expect(!reader.isOverdue)
    #expect(try await reader.inPasses { try reader.entries() } == [])
  }

  @Test func `a patient reader only stops at the limit`() async throws {
    reader.hasNoTimeLimit = true
    await #expect(throws: DatabaseError.self) {
      try await reader.inPasses { try reader.searching { try reader.statement(.endless).run() } }
    }
    #expect(reader.isExhausted && !reader.isOverdue)
  }

  @Test func `too many rows for a loop make it overdue, until its end`() async throws {
    // The budget of 10,000 steps is one of 500 rows.
    try await temporary.database.write { transaction in
      for id in 1...600 as ClosedRange<Int64> { try transaction.insert(id) }
    }
    let error = await #expect(throws: DatabaseError.self) { try await reader.inPasses { try reader.entries() } }
    #expect(error?.code == .budgetExceeded)
    #expect(reader.isOverdue && !reader.isExhausted)
    reader.endRead()
    #expect(!reader.isOverdue)
    #expect(try await reader.inPasses { try reader.first(of: .next, 7) { row in row.int64(0) } } == 8)
    reader.endRead()
    // Work that cannot move goes on.
    reader.hasNoTimeLimit = true
    #expect(try await reader.inPasses { try reader.entries() }.count == 600)
    #expect(!reader.isOverdue)
  }

  @Test func `too many statements for a loop make it overdue before they are executed`() throws {
    reader.beginPass()
    for id in 0..<50 as Range<Int64> { _ = try reader.first(of: .next, id) { row in row.int64(0) } }
    #expect(!reader.isOverdue)
    let error = #expect(throws: DatabaseError.self) { try reader.first(of: .next, 50) { row in row.int64(0) } }
    #expect(error?.code == .budgetExceeded)
    #expect(reader.isOverdue)
  }

  @Test func `processor time counts from the last answer`() async throws {
    func work() {
      let end = ThreadClock.nanoseconds + 3_000_000
      while ThreadClock.nanoseconds < end {}
    }
    #expect(!reader.checkTime())
    work()
    _ = try await reader.inPasses { try reader.entries() }
    #expect(!reader.checkTime())
    work()
    #expect(reader.checkTime() && reader.isOverdue)
    reader.endRead()
    #expect(!reader.checkTime())
    work()
    reader.hasNoTimeLimit = true
    #expect(!reader.checkTime())
  }

  @Test func `readers that are not of a loop answer at once`() async throws {
    try await temporary.insert(1)
    let reader = try temporary.database.makeReader()
    #expect(reader.answersAtOnce)
    #expect(try reader.entries() == [1])
    #expect(try await temporary.database.write { transaction in try transaction.reader.entries() } == [1])
  }
}

private struct Values: Sendable {
  let number: Int64
  let fraction: Double
  let text: String
  let empty: String
  let bytes: [UInt8]
  let missing: Int64?
  let keys: [Int64]
}

extension SQL where Parameters == Int64 {
  fileprivate static let next = SQL("SELECT id FROM entry WHERE id > \(\.self) ORDER BY id LIMIT 1")
}

extension SQL where Parameters == Values {
  fileprivate static let values = SQL(
    "SELECT \(\.number), \(\.fraction), \(\.text), \(\.empty), \(\.bytes), \(\.missing)"
  )
  fileprivate static let keys = SQL("SELECT value FROM \(table: \.keys)")
}
