import Foundation
import Storage
import TestSupport
import Testing

@Suite("Opening an existing database")
struct OpeningTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.path }
  private var path: String { folder + "/test.db" }

  init() throws { directory = try TemporaryDirectory() }

  /// The messages reported while opening, and the database.
  private func open(acceptingLostLog: Bool = false) throws -> (Database, reports: [String]) {
    let reports = Recorded()
    var opening = DatabaseOpening()
    opening.acceptsLostLog = acceptingLostLog
    opening.report = { reports.append($0) }
    let database = try Database(path: path, migrations: TemporaryDatabase.migrations, opening: opening)
    return (database, reports.values)
  }

  private func insert(_ ids: ClosedRange<Int64>, into database: Database) async throws {
    try await database.write { transaction in for id in ids { try transaction.insert(id) } }
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
  }

  @Test func `only the owner can access its files, whatever the umask`() async throws {
    let (database, _) = try open()
    try await insert(1...3, into: database)
    _ = try database.makeReader().entries()
    _ = try Database.backup(from: path, to: folder + "/copy.db")
    for name in ["test.db", "test.db-wal", "test.db-shm", "test.db.state", "copy.db"] {
      #expect(try mode(name) == 0o600, "\(name)")
    }
    await database.close()
  }

  @Test func `after a clean shutdown nothing is checked`() async throws {
    let (first, reports) = try open()
    #expect(reports.isEmpty)
    try await insert(1...3, into: first)
    await first.close()
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let (second, again) = try open()
    #expect(again.isEmpty)
    #expect(try second.makeReader().entries() == [1, 2, 3])
    await second.close()
  }

  @Test func `a reader that outlives the writer deletes the empty log, and one of another process never does`()
    async throws
  {
    let (database, _) = try open()
    try await insert(1...3, into: database)
    // Not the last connection, but it must never be the one that empties the log.
    _ = try Database.reader(of: path).entries()
    var reader: Reader? = try database.makeReader()
    #expect(try reader?.entries() == [1, 2, 3])
    reader?.endRead()
    await database.close()
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    reader = nil
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let (again, reports) = try open()
    #expect(reports.isEmpty)
    await again.close()
  }

  @Test func `a damaged page is found before anything is written`() async throws {
    let (first, _) = try open()
    try await insert(1...20_000, into: first)
    await first.close()
    let pages =
      try #require(
        FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      ) / 4_096
    #expect(pages > 40)
    for page in [3, 7, pages / 2, pages - 1] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: UInt64(page * 4_096))
      try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
      let damaged = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = #expect(throws: DatabaseError.self) { _ = try open() }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("Nothing was written to it. Restore a backup.") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: whole)
      try file.close()
    }
    // Sound again, but changed since the last use: checked, and served.
    let (last, reports) = try open()
    #expect(reports.count == 1 && reports[0].contains("has changed since the last server closed it"), "\(reports)")
    await last.close()
  }

  @Test func `a damaged backup stays as it is`() async throws {
    let (first, _) = try open()
    try await insert(1...20_000, into: first)
    await first.close()
    let backup = path + ".backup"
    _ = try Database.backup(from: path, to: backup)
    var damaged = try Data(contentsOf: URL(fileURLWithPath: backup))
    damaged.replaceSubrange((4_096 * 7)..<(4_096 * 7 + 64), with: Data(repeating: 0xA5, count: 64))
    try damaged.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: DatabaseError.self) { _ = try open() }
    #expect(error?.code == .corrupt)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
  }

  @Test func `a backup of a later version stays as it is`() async throws {
    let (first, _) = try open()
    await first.close()
    let backup = path + ".backup"
    _ = try Database.backup(from: path, to: backup)
    let content = try Data(contentsOf: URL(fileURLWithPath: backup))
    try content.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: DatabaseError.self) { _ = try Database(path: path, migrations: []) }
    #expect(error?.code == .newerDatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
  }

  @Test func `a file from elsewhere is checked once`() async throws {
    let (first, _) = try open()
    try await insert(1...3, into: first)
    await first.close()
    try FileManager.default.removeItem(atPath: path + ".state")
    for expected in [1, 0] {
      let (database, reports) = try open()
      #expect(reports.count == expected, "\(reports)")
      await database.close()
    }
  }

  @Test func `after a clean shutdown, a missing or empty file is not replaced by a new one`() async throws {
    let (first, _) = try open()
    try await insert(1...3, into: first)
    await first.close()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    for isEmpty in [false, true] {
      if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
      let error = #expect(throws: DatabaseError.self) { _ = try open() }
      #expect(error?.code == .databaseMissing)
      #expect(error?.message.contains("test.db.state states that it was in use.") == true)
      #expect(FileManager.default.fileExists(atPath: path) == isEmpty)
    }
    // An empty file alone is what a first start on a full disk leaves.
    try FileManager.default.removeItem(atPath: path + ".state")
    let (new, reports) = try open()
    #expect(reports.isEmpty)
    #expect(try new.makeReader().entries() == [])
    await new.close()
  }

  @Test func `the error of a file that cannot be opened states the reason`() throws {
    for (path, reason) in [
      (folder + "/nowhere.db", "No such file or directory"), ("/dev/null/test.db", "Not a directory"),
    ] {
      let error = #expect(throws: DatabaseError.self) { _ = try Database.reader(of: path).entries() }
      #expect(error?.code == .inputOutput)
      #expect(error?.message.hasSuffix(": \(reason)") == true, "\(String(describing: error))")
    }
  }

  @Test func `moved files are not written to until they are back`() async throws {
    for name in ["test.db", "test.db-wal"] {
      let temporary = try TemporaryDatabase()
      let path = "\(temporary.folder)/\(name)"
      try await temporary.insert(1)
      #expect(temporary.database.writeFailure == nil)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      for isReplaced in [false, true] {
        if isReplaced { try Data("another".utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(temporary.database.writeFailure?.code == .moved)
        let error = await #expect(throws: DatabaseError.self) { try await temporary.insert(2) }
        #expect(error?.code == .moved)
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      try await temporary.insert(3)
      #expect(temporary.database.writeFailure == nil)
      #expect(try temporary.entries() == [1, 3])
      await temporary.database.close()
    }
  }

  /// Otherwise the loss of its log would not be detected.
  @Test func `nothing is written while the record beside the file cannot be`() async throws {
    var limits = DatabaseLimits()
    // Each commit is followed by a checkpoint, which changes the file.
    limits.checkpointPages = 1
    let temporary = try TemporaryDatabase(limits: limits)
    let record = temporary.path + ".state"
    try await temporary.insert(1)
    // Within a write, after which the record is written next.
    try await temporary.database.write { transaction in
      try FileManager.default.removeItem(atPath: record)
      try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
      try transaction.insert(2)
    }
    let error = await #expect(throws: DatabaseError.self) { try await temporary.insert(3) }
    #expect(error?.code == .inputOutput)
    try FileManager.default.removeItem(atPath: record)
    try await temporary.insert(4)
    #expect(try temporary.entries() == [1, 2, 4])
    await temporary.database.close()
  }

  @Test func `the content of a log that was deleted while open is saved by closing`() async throws {
    let (first, _) = try open()
    try await insert(1...3, into: first)
    try FileManager.default.removeItem(atPath: path + "-wal")
    await first.close()
    let (second, reports) = try open()
    #expect(try second.makeReader().entries() == [1, 2, 3])
    #expect(reports.count == 1 && reports[0].contains("has changed since the last server closed it"), "\(reports)")
    await second.close()
  }
}
