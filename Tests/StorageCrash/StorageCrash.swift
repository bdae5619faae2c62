import Foundation
import Storage

/// A helper process for tests: it is killed during its writes or a checkpoint, or has no disk space for its writes.
@main
struct StorageCrash {
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

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      throw DatabaseError(.misuse, message: "storage-crash stream|limit|checkpoint|open FILE")
    }
    var limits = DatabaseLimits()
    if arguments[1] == "checkpoint" { limits.checkpointPages = 20 }
    let database = try Database(path: arguments[2], migrations: migrations, limits: limits)
    switch arguments[1] {
    case "stream": try await stream(into: database)
    case "limit": try await writeWithoutRoom(into: database)
    case "checkpoint": try await writeUntilCheckpoint(of: arguments[2], into: database)
    default: await database.close()
    }
  }

  /// Writes until it is killed, and prints each number once its write is acknowledged.
  static func stream(into database: Database) async throws {
    try await withThrowingTaskGroup { group in
      for writer in 0..<8 as Range<Int64> {
        group.addTask {
          for n in 0..<Int64.max {
            let id = writer * 1_000_000_000 + n
            try await insert(id, into: database)
            say("\(id)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Prints the outcomes, one per line, of a write, of sixteen writes at once while no file can grow, and of another
  /// write.
  static func writeWithoutRoom(into database: Database) async throws {
    signal(SIGXFSZ, SIG_IGN)
    try await insert(0, into: database)
    // No file of this process can grow beyond 1 byte: new writes fail.
    let unlimited = limit(RLIMIT_FSIZE, to: 1)
    await withTaskGroup { group in
      for id in 1...16 as ClosedRange<Int64> { group.addTask { await report(id, into: database) } }
    }
    limit(RLIMIT_FSIZE, to: unlimited)
    await report(17, into: database)
    await database.close()
  }

  /// Writes until the kernel kills it within a checkpoint, with SIGXFSZ: at the first page that lengthens the file.
  static func writeUntilCheckpoint(of path: String, into database: Database) async throws {
    try await database.write { transaction in
      for id in 0..<1_000 as Range<Int64> { try insert(id, in: transaction) }
    }
    // Stored after the checkpoint of the first write. The log, which is far longer than the next checkpoint needs,
    // begins again.
    try await insert(1_000, into: database)
    var status = stat()
    stat(path, &status)
    // No core dump.
    limit(RLIMIT_CORE, to: 0)
    limit(RLIMIT_FSIZE, to: rlim_t(status.st_size))
    for id in 1_001..<Int64.max { try await insert(id, into: database) }
  }

  /// Returns the limit that was in force.
  @discardableResult
  static func limit(_ resource: __rlimit_resource, to value: rlim_t) -> rlim_t {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    let old = limit.rlim_cur
    limit.rlim_cur = value
    setrlimit(resource, &limit)
    return old
  }

  static func report(_ id: Int64, into database: Database) async {
    do {
      try await insert(id, into: database)
      say("\(id) stored")
    } catch {
      say("\(id) \((error as? DatabaseError)?.code.rawValue ?? "\(error)")")
    }
  }

  static func insert(_ id: Int64, into database: Database) async throws {
    try await database.write { transaction in try insert(id, in: transaction) }
  }

  static func insert(_ id: Int64, in transaction: WriteTransaction) throws {
    for sql in [insertEntry, insertEcho] {
      let statement = try transaction.statement(sql)
      try statement.bind(id, at: 1)
      try statement.run()
    }
  }

  static let insertEntry = StatementText("INSERT INTO entry(id, filling) VALUES (?1, zeroblob(500))")
  static let insertEcho = StatementText("INSERT INTO echo(entry) VALUES (?1)")

  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
