import Foundation
import Storage

/// A helper process for tests: it is killed during its writes, or has no disk space for them.
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
    guard arguments.count == 3 else { throw DatabaseError(.misuse, message: "storage-crash stream|limit|open FILE") }
    let database = try Database(path: arguments[2], migrations: migrations)
    switch arguments[1] {
    case "stream": try await stream(into: database)
    case "limit": try await writeWithoutRoom(into: database)
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
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    let unlimited = limit
    // No file of this process can grow beyond 1 byte: new writes fail.
    limit.rlim_cur = 1
    setrlimit(resource, &limit)
    await withTaskGroup { group in
      for id in 1...16 as ClosedRange<Int64> { group.addTask { await report(id, into: database) } }
    }
    limit = unlimited
    setrlimit(resource, &limit)
    await report(17, into: database)
    await database.close()
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
    try await database.write { transaction in
      for sql in [insertEntry, insertEcho] {
        let statement = try transaction.statement(sql)
        try statement.bind(id, at: 1)
        try statement.run()
      }
    }
  }

  static let insertEntry = StatementText("INSERT INTO entry(id, filling) VALUES (?1, zeroblob(500))")
  static let insertEcho = StatementText("INSERT INTO echo(entry) VALUES (?1)")

  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
