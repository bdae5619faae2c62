import Basics
import Foundation
import Glibc
import Storage
import Synchronization
import Testing

@Suite("Backup and check")
struct BackupTests {
  @Test func `a backup taken during writes is complete and a snapshot`() async throws {
    let temporary = try TemporaryDatabase()
    let database = temporary.database
    let counter = Counter()
    let writers = (0..<4).map { _ in
      Task {
        while let id = counter.next() {
          try await database.write { transaction in
            try transaction.insert(id)
            try transaction.insert(id, into: .insertEcho)
          }
        }
      }
    }
    for round in 0..<5 {
      let before = try temporary.entries()
      let copy = temporary.folder + "/copy\(round).db"
      #expect(try Database.backup(from: temporary.path, to: copy) == [])
      #expect(try Database.integrityCheck(of: copy).isEmpty)
      let reader = try Database.reader(of: copy)
      let entries = try reader.entries()
      #expect(Set(before).isSubset(of: entries))
      var echoes: [Int64] = []
      try reader.statement(.selectEchoes).forEachRow { row in echoes.append(row.int64(0)) }
      #expect(echoes == entries)
      #expect(FileCalls.names(in: temporary.folder).filter { $0.hasSuffix(".partial") } == [])
    }
    counter.stop()
    for writer in writers { try await writer.value }
  }

  @Test func `a backup never replaces a file`() throws {
    let temporary = try TemporaryDatabase()
    let error = #expect(throws: DatabaseError.self) { try Database.backup(from: temporary.path, to: temporary.path) }
    #expect(error?.code == .destinationExists)
    #expect(error?.message == "\(temporary.path) exists already, and is not replaced.")
    #expect(try temporary.entries().isEmpty)
  }

  @Test func `of several backups to one file at the same time, one is made`() async throws {
    let temporary = try TemporaryDatabase()
    try await temporary.insert(1)
    let (path, copy) = (temporary.path, temporary.folder + "/copy.db")
    let backups = (0..<8).map { _ in
      Task { () -> DatabaseError.Code? in
        do throws(DatabaseError) {
          _ = try Database.backup(from: path, to: copy)
          return nil
        } catch {
          return error.code
        }
      }
    }
    var outcomes: [DatabaseError.Code?] = []
    for backup in backups { outcomes.append(await backup.value) }
    #expect(outcomes.count { $0 == nil } == 1)
    #expect(outcomes.count { $0 == .destinationExists } == 7)
    let reader = try Database.reader(of: copy)
    #expect(try reader.entries() == [1])
    #expect(FileCalls.names(in: temporary.folder).filter { $0.hasSuffix(".partial") } == [])
  }

  @Test func `a backup replaces what one has left that was killed`() async throws {
    let temporary = try TemporaryDatabase()
    try await temporary.insert(1)
    let copy = temporary.folder + "/copy.db"
    for suffix in [".partial", ".partial-journal"] {
      try Data(repeating: 1, count: 10_000).write(to: URL(fileURLWithPath: copy + suffix))
    }
    #expect(try Database.backup(from: temporary.path, to: copy) == [])
    #expect(try Database.reader(of: copy).entries() == [1])
    #expect(FileCalls.names(in: temporary.folder).filter { $0.contains(".partial") } == [])
  }

  @Test func `a backup into a missing folder reports an error`() throws {
    let temporary = try TemporaryDatabase()
    let error = #expect(throws: DatabaseError.self) {
      try Database.backup(from: temporary.path, to: "/nowhere/at/all.db")
    }
    #expect(error?.code == .destinationUnusable)
  }

  @Test func `the check finds a page that was overwritten`() async throws {
    let temporary = try TemporaryDatabase()
    try await temporary.database.write { transaction in
      for id in 0..<5_000 as Range<Int64> { try transaction.insert(id) }
    }
    #expect(try Database.integrityCheck(of: temporary.path).isEmpty)
    await temporary.database.close()
    let file = try #require(FileHandle(forUpdatingAtPath: temporary.path))
    try file.seek(toOffset: 4_096 * 5)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 4_096))
    try file.close()
    #expect(try !Database.integrityCheck(of: temporary.path).isEmpty)
    // A backup is made, and reports the page.
    let copy = temporary.folder + "/copy.db"
    #expect(try !Database.backup(from: temporary.path, to: copy).isEmpty)
    #expect(try !Database.integrityCheck(of: copy).isEmpty)
  }
}

/// Numbers from 1, until it is stopped.
private final class Counter: Sendable {
  private let last = Mutex<Int64?>(0)

  func next() -> Int64? {
    last.withLock { last in
      last = last.map { $0 + 1 }
      return last
    }
  }

  func stop() { last.withLock { $0 = nil } }
}

extension StatementText {
  fileprivate static let selectEchoes = StatementText("SELECT entry FROM echo ORDER BY entry")
}
