import TestSupport

@testable import Hearth

/// People as `hearth seed` makes them, for a server that has not been started on the folder yet.
enum SeededPeople {
  static func add(_ count: Int, to directory: TemporaryDirectory) async throws {
    let location: DataLocation =
      switch TestDatabase.configured {
      case .sqlite, .deferred: .folder(directory.path)
      case .postgresql: .postgreSQL(url: try await ServerDatabases.emptyURL(forFolder: directory.path))
      }
    try await BenchmarkData.fill(location, allowsUnsafeSettings: true, families: 0, people: count, seed: 1)
  }
}
