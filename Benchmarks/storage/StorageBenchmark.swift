import Foundation
import Storage

/// Measures the storage layer. `swift run -c release storage-benchmark [FOLDER]`
@main
struct StorageBenchmark {
  static func main() async throws {
    let parent = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : NSTemporaryDirectory()
    let folder = parent + "/storage-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var limits = DatabaseLimits()
    limits.readSteps = .max
    let database = try Database(path: folder + "/benchmark.db", migrations: [schema], limits: limits)
    try await fill(database)
    try measureReads(database)
    try await measureReadsAmidWrites(database)
    try await measureWrites(database)
    await database.close()
  }

  static let families: Int64 = 10_000

  static let schema = Migration(
    1,
    name: "benchmark",
    sql: """
      CREATE TABLE chore(family INTEGER NOT NULL, id INTEGER NOT NULL, title TEXT NOT NULL, note TEXT,
        priority INTEGER NOT NULL, due INTEGER NOT NULL, done INTEGER NOT NULL, child INTEGER NOT NULL,
        PRIMARY KEY (family, id)) STRICT, WITHOUT ROWID;
      CREATE TABLE entry(id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
      """
  )

  static func fill(_ database: Database) async throws {
    try await database.write { transaction in
      for family in 1...families {
        let statement = try transaction.statement(.insertChore)
        for id in 1...12 as ClosedRange<Int64> {
          try statement.bind(family, at: 1)
          try statement.bind(family * 100 + id, at: 2)
          try statement.bind("Empty the dishwasher \(id)", at: 3)
          try statement.bind(id, at: 4)
          try statement.bind(1_700_000_000 + id, at: 5)
          try statement.run()
        }
      }
      for id in 1...families {
        let statement = try transaction.statement(.insertEntry)
        try statement.bind(id, at: 1)
        try statement.bind("An entry of some length", at: 2)
        try statement.run()
      }
    }
  }

  static func measureReads(_ database: Database) throws {
    let reader = try database.makeReader()
    var sum: Int64 = 0
    try measure("statement() from the cache", 1_000_000) {
      if try reader.statement(.entryByID) == reader.statement(.choresOfFamilies) { sum += 1 }
    }
    try measure("bind, step, finish: one row by key", 200_000) {
      let statement = try reader.statement(.entryByID)
      sum += 1
      try statement.bind(sum % families + 1, at: 1)
      try statement.forEachRow { row in sum &+= Int64(row.text(1).count) & 1 }
    }
    reader.endRead()
    try measure("the same with a transaction around it", 100_000) {
      let statement = try reader.statement(.entryByID)
      sum += 1
      try statement.bind(sum % families + 1, at: 1)
      try statement.forEachRow { row in sum &+= Int64(row.text(1).count) & 1 }
      reader.endRead()
    }
    let keys = (1...64).map { Int64($0 * 97 % 10_000) }
    try measure("keys(?): 64 keys alone", 20_000) {
      let statement = try reader.statement(.keysAlone)
      try statement.bind(keys: keys, at: 1)
      try statement.forEachRow { row in sum &+= row.int64(0) }
    }
    try measure("json_each: 64 keys alone", 20_000) {
      let statement = try reader.statement(.jsonAlone)
      try statement.bind("[" + keys.map { "\($0)" }.joined(separator: ",") + "]", at: 1)
      try statement.forEachRow { row in sum &+= row.int64(0) }
    }
    try measure("keys(?): 64 keys, 1 row each, 2 columns", 20_000) {
      let statement = try reader.statement(.entriesByKeys)
      try statement.bind(keys: keys, at: 1)
      try statement.forEachRow { row in sum &+= row.int64(0) &+ Int64(row.text(1).count) }
    }
    try measure("json_each: 64 keys, 1 row each, 2 columns", 20_000) {
      let statement = try reader.statement(.entriesByJSON)
      try statement.bind("[" + keys.map { "\($0)" }.joined(separator: ",") + "]", at: 1)
      try statement.forEachRow { row in sum &+= row.int64(0) &+ Int64(row.text(1).count) }
    }
    try measure("one by one: 64 keys, 1 row each, 2 columns", 20_000) {
      for key in keys {
        let statement = try reader.statement(.entryByID)
        try statement.bind(key, at: 1)
        try statement.forEachRow { row in sum &+= row.int64(0) &+ Int64(row.text(1).count) }
      }
    }
    try measure("keys(?): 64 keys, 12 rows each, 8 columns (768 rows)", 2_000) {
      try choresOfFamilies(keys, reader, &sum)
    }
    reader.endRead()
    print("(\(sum & 1))")
  }

  static func choresOfFamilies(_ keys: [Int64], _ reader: Reader, _ sum: inout Int64) throws {
    let statement = try reader.statement(.choresOfFamilies)
    try statement.bind(keys: keys, at: 1)
    try statement.forEachRow { row in
      sum &+= row.int64(0) &+ row.int64(1) &+ Int64(row.text(2).count) &+ Int64(row.text(3).count)
      sum &+= row.int64(4) &+ row.int64(5) &+ row.int64(6) &+ row.int64(7)
    }
  }

  /// Measures the request after a commit, which invalidates the cached pages of readers.
  static func measureReadsAmidWrites(_ database: Database) async throws {
    let reader = try database.makeReader()
    var sum: Int64 = 0
    let keys = (1...64).map { Int64($0 * 97 % 10_000) }
    try choresOfFamilies(keys, reader, &sum)
    reader.endRead()
    var spent = Duration.zero
    let rounds = 500
    for round in 0..<rounds {
      try await insert(Int64(1_000_000 + round), into: database)
      spent += try ContinuousClock().measure {
        try choresOfFamilies(keys, reader, &sum)
        reader.endRead()
      }
    }
    report("the 768 rows, after another's commit", spent, rounds)
  }

  static func measureWrites(_ database: Database) async throws {
    for (writers, each) in [(1, 2_000), (2, 2_000), (8, 1_000), (32, 1_000), (256, 300)] {
      let clock = ContinuousClock()
      let start = clock.now
      await withTaskGroup { group in
        for writer in 0..<writers {
          group.addTask {
            for n in 0..<each {
              let id = Int64(writers) * 1_000_000_000 + Int64(writer) * 1_000_000 + Int64(n)
              do { try await insert(id, into: database) } catch { print(error) }
            }
          }
        }
      }
      let spent = clock.now - start
      let seconds = Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18
      print("writes, \(writers) at once: \(Int(Double(writers * each) / seconds)) a second")
    }
    // Queued at once, so that the figure is the writer's and not that of the tasks.
    let count = 4_000
    let clock = ContinuousClock()
    let start = clock.now
    let tasks = (0..<count).map { n in
      Task.immediate { try await insert(Int64(900_000_000_000 + n), into: database) }
    }
    for task in tasks { try await task.value }
    report("a write among \(count) queued at once", clock.now - start, count)
  }

  static func insert(_ id: Int64, into database: Database) async throws {
    try await database.write { transaction in
      let statement = try transaction.statement(.insertEntry)
      try statement.bind(id, at: 1)
      try statement.bind("An entry of some length", at: 2)
      try statement.run()
    }
  }

  static func measure(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
    for _ in 0..<(count / 10) { try body() }
    report(name, try ContinuousClock().measure { for _ in 0..<count { try body() } }, count)
  }

  static func report(_ name: String, _ spent: Duration, _ count: Int) {
    let nanoseconds =
      (Double(spent.components.seconds) * 1e9 + Double(spent.components.attoseconds) / 1e9) / Double(count)
    print("\(name): \(Int(nanoseconds * 10) / 10) ns")
  }
}

extension StatementText {
  static let insertChore = StatementText(
    "INSERT INTO chore(family, id, title, priority, due, done, child) VALUES (?1, ?2, ?3, ?4, ?5, 0, 7)"
  )
  static let insertEntry = StatementText("INSERT INTO entry(id, title) VALUES (?1, ?2)")
  static let entryByID = StatementText("SELECT id, title FROM entry WHERE id = ?1")
  static let keysAlone = StatementText("SELECT value FROM keys(?1)")
  static let jsonAlone = StatementText("SELECT value FROM json_each(?1)")
  static let entriesByKeys = StatementText(
    "SELECT k.slot, e.title FROM keys(?1) AS k CROSS JOIN entry AS e ON e.id = k.value"
  )
  static let entriesByJSON = StatementText(
    "SELECT k.key, e.title FROM json_each(?1) AS k CROSS JOIN entry AS e ON e.id = k.value"
  )
  static let choresOfFamilies = StatementText(
    """
    SELECT k.slot, c.id, c.title, c.note, c.priority, c.due, c.done, c.child
    FROM keys(?1) AS k CROSS JOIN chore AS c ON c.family = k.value
    """
  )
}
