import Foundation
import TestSupport

@testable import Hearth

/// A backup of a data folder's data, made and restored as the guides for operators describe it: by `hearth backup`, or
/// by `pg_dump` and `pg_restore`. The record of erasures in the folder stays when it is restored.
struct DataBackup {
  private let directory: String
  private let database: TestDatabase
  private let copies: TemporaryDirectory

  init(of directory: String, in database: TestDatabase = .configured) throws {
    (self.directory, self.database) = (directory, database)
    copies = try TemporaryDirectory()
  }

  private var dump: String { copies.path + "/hearth.dump" }

  /// While a server uses the data.
  func make() async throws {
    guard database == .postgresql else {
      try Maintenance.backup(.folder(directory), to: copies.path + "/hearth.db")
      return
    }
    let name = try await ServerDatabases.name(forFolder: directory)
    try await PostgreSQLCluster.shared().dump(name, to: dump)
  }

  /// While no server uses the data.
  func restore() async throws {
    guard database == .postgresql else { return try restoreFiles() }
    let name = try await ServerDatabases.name(forFolder: directory)
    let cluster = try await PostgreSQLCluster.shared()
    try await cluster.execute("DROP DATABASE \(name)")
    try await cluster.execute("CREATE DATABASE \(name) TEMPLATE template0")
    try await cluster.restore(dump, to: name)
    try Maintenance.migrate(server: cluster.url(of: name), isRestored: true, allowsUnsafeSettings: true)
  }

  private func restoreFiles() throws {
    for name in ["hearth.db", "hearth.db.state", "hearth.db-wal", "hearth.db-shm", "media"] {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
    for name in ["hearth.db", "media"] {
      try FileManager.default.copyItem(atPath: "\(copies.path)/\(name)", toPath: "\(directory)/\(name)")
    }
  }
}
