import Foundation
import Storage

extension BenchmarkData {
  /// Fills an empty data location: see `fill(folder:families:people:seed:)`.
  ///
  /// A PostgreSQL database gets a copy of a temporary folder. Within a transaction, PostgreSQL keeps every version of a
  /// row that counts others, so that thousands of single insertions take ever longer.
  ///
  /// - Parameter allowsUnsafeSettings: of a PostgreSQL server.
  package static func fill(
    _ location: DataLocation,
    allowsUnsafeSettings: Bool,
    families: Int,
    people: Int,
    seed: UInt64
  ) async throws {
    switch location {
    case .folder(let directory):
      try await fill(folder: directory, families: families, people: people, seed: seed)
    case .postgreSQL(let url):
      try PostgreSQLTarget(url: url, allowsUnsafeSettings: allowsUnsafeSettings).requireEmpty(Migration.all)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-seed-\(UUID())").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try await fill(folder: folder, families: families, people: people, seed: seed)
      _ = try DataMove.move(from: .folder(folder), to: location, allowsUnsafeSettings: allowsUnsafeSettings)
    }
  }
}
