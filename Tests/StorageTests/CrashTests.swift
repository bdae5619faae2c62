import Foundation
import Storage
import TestSupport
import Testing

@Suite("A process that fails")
struct CrashTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/test.db" }

  /// The key and value of the helper's entries.
  static let migrations = [
    Migration(
      1,
      name: "entries",
      sql: """
        CREATE TABLE entry(id INTEGER PRIMARY KEY, filling BLOB) STRICT;
        CREATE TABLE echo(entry INTEGER PRIMARY KEY REFERENCES entry) STRICT;
        """
    )
  ]

  init() throws { directory = try TemporaryDirectory() }

  /// Starts the helper process, which is next to the test runner.
  func start(_ mode: String) throws -> ChildProcess {
    try ChildProcess([try ChildProcess.besideTests("storage-crash"), mode, path])
  }

  @Test(arguments: [1, 100, 1_000, 3_000])
  func `killed during writes, it has stored all acknowledged writes and none partially`(count: Int) throws {
    let process = try start("stream")
    var acknowledged = Data()
    while acknowledged.count(where: { $0 == 0x0A }) < count { acknowledged.append(process.output.availableData) }
    process.signal(SIGKILL)
    acknowledged.append(try process.output.readToEnd() ?? Data())
    #expect(process.wait() == .killed(by: SIGKILL))

    #expect(try Database.integrityCheck(of: path).isEmpty)
    let reader = try Database.reader(of: path)
    let entries = try Set(reader.entries())
    // The kill can truncate the last line, which then is not an acknowledgement.
    let ids = acknowledged.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    #expect(ids.count >= count)
    #expect(entries.isSuperset(of: ids))
    var echoes: Set<Int64> = []
    try reader.statement(.selectEchoes).forEachRow { row in echoes.insert(row.int64(0)) }
    #expect(echoes == entries)
  }

  /// The helper, killed after some of its writes were acknowledged.
  private func kill(after count: Int) throws {
    let process = try start("stream")
    var acknowledged = Data()
    while acknowledged.count(where: { $0 == 0x0A }) < count { acknowledged.append(process.output.availableData) }
    process.signal(SIGKILL)
    _ = try process.output.readToEnd()
    process.wait()
  }

  private func open(
    acceptingLostLog: Bool = false,
    afterLoss: [SQL<Void>] = []
  ) throws -> (Database, reports: [String]) {
    var opening = DatabaseOpening()
    opening.acceptsLostLog = acceptingLostLog
    opening.afterLoss = afterLoss
    let recorded = Recorded()
    opening.report = { recorded.append($0) }
    let database = try Database(path: path, migrations: Self.migrations, opening: opening)
    return (database, recorded.values)
  }

  @Test func `killed, it is reopened without a check of all pages`() async throws {
    try kill(after: 100)
    let (database, reports) = try open()
    #expect(reports.isEmpty, "\(reports)")
    await database.close()
  }

  @Test func `killed while it copies its log into the file, it has lost nothing, and the file is checked`()
    async throws
  {
    let process = try start("checkpoint")
    _ = try process.output.readToEnd()
    #expect(process.wait() == .killed(by: SIGXFSZ))
    for expected in [1, 0] {
      let (database, reports) = try open(afterLoss: [.insertLoss])
      #expect(reports.count == expected, "\(reports)")
      #expect(reports.allSatisfy { $0.contains("stopped while it copied the write-ahead log") }, "\(reports)")
      let entries = try database.makeReader().entries()
      #expect(entries.count > 1_000 && entries.first == 0)
      await database.close()
    }
  }

  private func contents() throws -> [Data] {
    try ["", "-wal"].map { suffix in try Data(contentsOf: URL(fileURLWithPath: path + suffix)) }
  }

  @Test func `killed, and opened by another version that rejects the file: nothing has changed`() async throws {
    try kill(after: 100)
    let before = try contents()
    let edited = Migration(1, name: "entries", sql: Self.migrations[0].sql + " ")
    for migrations in [[], [edited]] {
      #expect(throws: DatabaseError.self) { _ = try Database(path: path, migrations: migrations) }
      #expect(try contents() == before)
    }
    let (database, reports) = try open(afterLoss: [.insertLoss])
    #expect(reports.isEmpty, "\(reports)")
    #expect(try database.makeReader().entries().first == 0)
    await database.close()
  }

  @Test func `killed, and the file is damaged: the file and its log stay as they are`() async throws {
    let (before, _) = try open()
    try await before.write { transaction in
      for id in -20_000 ... -1 as ClosedRange<Int64> { try transaction.insert(id) }
    }
    await before.close()
    try kill(after: 100)
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: UInt64(size / 8_192 * 4_096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
    try file.close()
    let damaged = try contents()
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { _ = try open() }
      #expect(error?.code == .corrupt)
      #expect(try contents() == damaged)
    }
  }

  @Test(arguments: [true, false])
  func `killed, and its log is deleted or emptied: the loss is reported, and accepted only on request`(
    isDeleted: Bool
  ) async throws {
    try kill(after: 100)
    if isDeleted {
      try FileManager.default.removeItem(atPath: path + "-wal")
    } else {
      try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    }
    // A check does not change the outcome.
    for _ in 0..<2 {
      let faults = try Database.integrityCheck(of: path)
      #expect(faults.count == 1 && faults[0].contains("test.db-wal is missing"), "\(faults)")
      let backup = path + ".backup"
      #expect(try Database.backup(from: path, to: backup) == faults)
      try FileManager.default.removeItem(atPath: backup)
    }
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { _ = try open() }
      #expect(error?.code == .logMissing)
    }
    let (database, reports) = try open(acceptingLostLog: true)
    #expect(reports.contains { $0.hasSuffix("Continuing without them.") }, "\(reports)")
    try await database.write { transaction in try transaction.insert(1) }
    await database.close()
    #expect(try Database.integrityCheck(of: path).isEmpty)
    let (again, silence) = try open()
    #expect(silence.isEmpty)
    await again.close()
  }

  /// Damages of a log, and whether commits before them remain.
  enum LogDamage: CaseIterable, Sendable {
    case bit, firstBit, headerBit, zeros, end, all

    func apply(to log: inout Data) {
      let middle = log.count / 2
      switch self {
      case .bit: log[middle] ^= 1
      // Of the first page, behind the headers of the log and the page.
      case .firstBit: log[32 + 24 + 1_000] ^= 1
      // Of the first salt: SQLite takes the log for an empty one.
      case .headerBit: log[19] ^= 1
      case .zeros: log.replaceSubrange(middle..<middle + 4_096, with: Data(count: 4_096))
      case .end: log = log[..<middle]
      case .all: log = Data((0..<log.count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      }
    }

    var keepsCommits: Bool { [.bit, .zeros, .end].contains(self) }
  }

  @Test(arguments: LogDamage.allCases)
  func `killed, and its log is damaged: the loss is reported, and accepted only on request`(
    damage: LogDamage
  ) async throws {
    try kill(after: 100)
    let log = URL(fileURLWithPath: path + "-wal")
    var bytes = try Data(contentsOf: log)
    damage.apply(to: &bytes)
    try bytes.write(to: log)
    let damaged = try contents()
    // A check, a backup and a rejected start do not change the outcome.
    for _ in 0..<2 {
      let faults = try Database.integrityCheck(of: path)
      #expect(faults.first?.contains("test.db-wal is damaged or was shortened") == true, "\(faults)")
      let backup = path + ".backup"
      #expect(try Database.backup(from: path, to: backup).first == faults.first)
      try FileManager.default.removeItem(atPath: backup)
      let error = #expect(throws: DatabaseError.self) { _ = try open() }
      #expect(error?.code == .logMissing)
      #expect(try contents() == damaged)
    }
    let (database, reports) = try open(acceptingLostLog: true, afterLoss: [.insertLoss])
    #expect(reports.contains { $0.hasSuffix("Continuing without them.") }, "\(reports)")
    // The numbers that were lost are left out.
    let entries = try database.makeReader().entries()
    #expect(entries.first == -1 && (entries.count > 1) == damage.keepsCommits, "\(entries.count)")
    try await database.write { transaction in try transaction.insert(-2) }
    await database.close()
    #expect(try Database.integrityCheck(of: path).isEmpty)
    let (again, silence) = try open()
    #expect(silence.isEmpty)
    await again.close()
  }

  @Test func `killed within a commit, whose frames are incomplete: nothing is lost`() async throws {
    try kill(after: 100)
    let entries = try Database.reader(of: path).entries()
    let file = try #require(FileHandle(forWritingAtPath: path + "-wal"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 7, count: 5_000))
    try file.close()
    #expect(try Database.integrityCheck(of: path).isEmpty)
    let (database, reports) = try open(afterLoss: [.insertLoss])
    #expect(reports.isEmpty, "\(reports)")
    #expect(try database.makeReader().entries() == entries)
    await database.close()
  }

  /// The last commits before a power failure can lack their note.
  @Test func `a log that reaches further than the record states, or has begun again since, is complete`() async throws {
    try kill(after: 100)
    let record = URL(fileURLWithPath: path + ".state")
    let lines = String(decoding: try Data(contentsOf: record), as: UTF8.self)
    let line = try #require(lines.split(separator: "\n").first { $0.hasPrefix("log ") })
    let numbers = line.split(separator: " ").dropFirst().map { String($0) }
    let generation = try #require(UInt32(numbers[0], radix: 16))
    func hex(_ number: UInt32) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
    for (extent, isComplete) in [
      ("\(numbers[0]) \(numbers[1]) 00000001", true),
      ("\(numbers[0]) \(numbers[1]) 00000000", true),
      ("\(hex(generation &- 1)) 01234567 00000100", true),
      ("\(hex(generation &- 2)) 01234567 00000100", false),
      ("\(hex(generation &+ 1)) 01234567 00000100", false),
      ("\(numbers[0]) \(numbers[1]) 00ffffff", false),
    ] {
      // In place, as a server writes it.
      let file = try #require(FileHandle(forWritingAtPath: record.path))
      try file.write(contentsOf: Data(lines.replacing(line, with: "log \(extent)").utf8))
      try file.close()
      #expect(try Database.integrityCheck(of: path).isEmpty == isComplete, "\(extent)")
    }
  }

  @Test(arguments: [false, true])
  func `killed, and its file is missing or empty: no new one is created over its log`(isEmpty: Bool) async throws {
    try kill(after: 100)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    let entries = try Database.reader(of: path).entries()
    try FileManager.default.removeItem(atPath: path)
    if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
    for accepts in [false, true] {
      let error = #expect(throws: DatabaseError.self) { _ = try open(acceptingLostLog: accepts) }
      #expect(error?.code == .databaseMissing)
      #expect(
        error?.message.hasPrefix(
          "\(path) is \(isEmpty ? "empty" : "missing"), although its write-ahead log \(path)-wal is there."
        ) == true
      )
      let faults = try Database.integrityCheck(of: path)
      #expect(faults == [error?.message])
      let backup = #expect(throws: DatabaseError.self) { _ = try Database.backup(from: path, to: path + ".backup") }
      #expect(backup?.code == .databaseMissing)
      #expect(FileManager.default.fileExists(atPath: path) == isEmpty)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == log)
    }
    // Put back.
    try whole.write(to: URL(fileURLWithPath: path))
    let (database, _) = try open()
    #expect(try database.makeReader().entries() == entries)
    await database.close()
  }

  @Test func `killed, and its log is merged into the file by another program: nothing is lost, and it is checked`()
    async throws
  {
    try kill(after: 100)
    let entries = try Database.reader(of: path).entries()
    #expect(entries.count >= 100)
    let merging = [
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM entry').fetchone()", path,
    ]
    #expect(try ChildProcess.run(merging).end == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let (database, reports) = try open()
    #expect(reports.count == 1 && reports[0].contains("has changed since the last server closed it"), "\(reports)")
    #expect(try database.makeReader().entries() == entries)
    await database.close()
  }

  @Test func `killed, and a backup replaces the file beside the log of the old one: the log is not applied to it`()
    async throws
  {
    let (before, _) = try open()
    try await before.write { transaction in try transaction.insert(1) }
    await before.close()
    let backup = path + ".backup"
    _ = try Database.backup(from: path, to: backup)
    try kill(after: 100)
    // In place, as cp(1) does.
    try Data(contentsOf: URL(fileURLWithPath: backup)).write(to: URL(fileURLWithPath: path))
    for attempt in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { _ = try open(acceptingLostLog: attempt == 1) }
      #expect(error?.code == .foreignLog)
    }
    let faults = try Database.integrityCheck(of: path)
    #expect(faults.count == 1 && faults[0].contains("test.db-wal is the write-ahead log of another file"), "\(faults)")
    #expect(throws: DatabaseError.self) { _ = try Database.backup(from: path, to: backup + "2") }
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    let (database, _) = try open()
    #expect(try database.makeReader().entries() == [1])
    await database.close()
  }

  @Test func `without space for a commit it fails every write of the group, and recovers when there is space`() throws {
    let process = try start("limit")
    let lines = String(decoding: try process.output.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    #expect(process.wait() == .exited(0))
    #expect(lines.count == 17)
    for line in lines.dropLast() { #expect(line.hasSuffix("full") || line.hasSuffix("inputOutput")) }
    #expect(lines.last == "17 stored")
    #expect(try Database.reader(of: path).entries() == [0, 17])
    #expect(try Database.integrityCheck(of: path).isEmpty)
  }

  @Test func `opens a fresh file although others open it too`() throws {
    let processes = try (0..<6).map { _ in try start("open") }
    for process in processes { #expect(process.wait() == .exited(0)) }
  }
}

extension SQL<Void> {
  /// It is the first one of the entries.
  fileprivate static let insertLoss = SQL("INSERT INTO entry(id) VALUES (-1)")
}

extension StatementText {
  fileprivate static let selectEchoes = StatementText("SELECT entry FROM echo ORDER BY entry")
}
