import Storage
import Testing

@Suite("Reader")
struct ReaderTests {
  @Test func `sees one snapshot until its end, whatever is written in the meantime`() async throws {
    let temporary = try TemporaryDatabase()
    let reader = try temporary.database.makeReader()
    try await temporary.insert(1)
    #expect(try reader.entries() == [1])
    try await temporary.insert(2)
    #expect(try reader.entries() == [1])
    reader.endRead()
    #expect(try reader.entries() == [1, 2])
  }

  @Test func `releases its snapshot although its rows were not read to the end`() async throws {
    let temporary = try TemporaryDatabase()
    let reader = try temporary.database.makeReader()
    try await temporary.insert(0)
    try await temporary.insert(1)
    #expect(try reader.statement(.selectEntries).first { row in row.int64(0) } == 0)
    #expect(throws: DatabaseError.self) {
      try reader.statement(.selectEntries).forEachRow { row throws(DatabaseError) in
        throw DatabaseError(.misuse, message: "stop")
      }
    }
    try await temporary.insert(2)
    reader.endRead()
    #expect(try reader.entries() == [0, 1, 2])
  }

  @Test func `changes nothing`() async throws {
    let temporary = try TemporaryDatabase()
    let reader = try temporary.database.makeReader()
    #expect(throws: DatabaseError.self) {
      let statement = try reader.statement(.insertEntry)
      try statement.bind(1 as Int64, at: 1)
      try statement.run()
    }
    reader.endRead()
    #expect(try temporary.entries().isEmpty)
  }

  @Test func `stops a statement that runs too long, and can read afterwards`() async throws {
    var limits = DatabaseLimits()
    limits.readSteps = 100_000
    let temporary = try TemporaryDatabase(limits: limits)
    let reader = try temporary.database.makeReader()
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
      #expect(error?.code == .budgetExceeded)
      #expect(error?.sql == StatementText.endless.text)
      reader.endRead()
      #expect(try reader.entries().isEmpty)
      reader.endRead()
    }
  }

  @Test func `counts the steps of all statements of a transaction together`() async throws {
    var limits = DatabaseLimits()
    limits.readSteps = 10_000
    let temporary = try TemporaryDatabase(limits: limits)
    let reader = try temporary.database.makeReader()
    let error = #expect(throws: DatabaseError.self) {
      for _ in 0..<10_000 { _ = try reader.entries() }
    }
    #expect(error?.code == .budgetExceeded)
  }

  @Test func `a loop's reader becomes overdue long before its limit, and starts afresh in the next transaction`() throws
  {
    var limits = DatabaseLimits()
    limits.loopTurn.steps = 10_000
    let temporary = try TemporaryDatabase(limits: limits)
    let reader = try temporary.database.makeLoopReaders(on: NoLoop()).take()
    for _ in 0..<2 {
      #expect(!reader.isOverdue)
      let error = #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
      #expect(error?.code == .budgetExceeded)
      #expect(reader.isOverdue && !reader.isExhausted)
      reader.endRead()
    }
    #expect(!reader.isOverdue)
  }

  @Test func `a loop's reader becomes overdue by processor time too`() throws {
    var limits = DatabaseLimits()
    limits.loopTurn.steps = .max
    limits.readSteps = .max
    let temporary = try TemporaryDatabase(limits: limits)
    let reader = try temporary.database.makeLoopReaders(on: NoLoop()).take()
    #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
    #expect(reader.isOverdue)
    reader.endRead()
  }

  @Test func `a patient reader, and one that is patient for now, only stop at the limit`() throws {
    var limits = DatabaseLimits()
    limits.loopTurn.steps = 10_000
    limits.readSteps = 100_000
    let temporary = try TemporaryDatabase(limits: limits)
    let patient = try temporary.database.makeReader()
    let reader = try temporary.database.makeLoopReaders(on: NoLoop()).take()
    reader.hasNoTimeLimit = true
    for reader in [patient, reader] {
      #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
      #expect(reader.isExhausted && !reader.isOverdue)
      reader.endRead()
    }
    reader.hasNoTimeLimit = false
    #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
    #expect(reader.isOverdue && !reader.isExhausted)
    reader.endRead()
  }
}
