import TestSupport

@testable import Hearth

extension TestServer {
  /// Runs several servers over one PostgreSQL database, as processes on several machines are: each has a data folder, a
  /// port, a connection that writes and subscribers of its own. They have one clock.
  static func runSeveral(
    _ count: Int,
    loops: Int = 1,
    in directory: TemporaryDirectory? = nil,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: ([TestServer]) async throws -> Void
  ) async throws {
    try await run(loops: loops, in: directory, database: .postgresql, configure: configure) { first in
      try await addServers(count - 1, to: [first], loops: loops, configure: configure, body)
    }
  }

  /// As many servers as the database of the tests admits: three with PostgreSQL, and one with SQLite. `directory` is
  /// that of the first.
  static func runSpread(
    in directory: TemporaryDirectory? = nil,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: ([TestServer]) async throws -> Void
  ) async throws {
    guard TestDatabase.configured == .postgresql else {
      return try await run(in: directory, configure: configure) { server in try await body([server]) }
    }
    try await runSeveral(3, in: directory, configure: configure, body)
  }

  private static func addServers(
    _ count: Int,
    to servers: [TestServer],
    loops: Int,
    configure: (inout Configuration) -> Void,
    _ body: ([TestServer]) async throws -> Void
  ) async throws {
    guard count > 0 else { return try await body(servers) }
    let directory = try TemporaryDirectory()
    try await ServerDatabases.share(ofFolder: servers[0].directory.path, withFolder: directory.path)
    defer { ServerDatabases.endSharing(withFolder: directory.path) }
    try await run(
      loops: loops,
      in: directory,
      clock: servers[0].clock,
      database: .postgresql,
      configure: configure
    ) { next in
      try await addServers(count - 1, to: servers + [next], loops: loops, configure: configure, body)
    }
  }
}

extension Client {
  /// The same client at another server.
  func at(_ server: TestServer) -> Client { server.visitor.with(token: token) }
}

extension Household {
  /// The same app at another server.
  func at(_ server: TestServer) -> Household { Household(self, parent: parent.at(server)) }
}
