import CPostgreSQL

/// libpq, PostgreSQL's own client library. It is loaded when it is first used, so that a program that never opens a
/// PostgreSQL database runs without it.
///
/// `@unchecked Sendable`: the functions do not change once they are loaded.
struct Library: @unchecked Sendable {
  let functions: UnsafePointer<libpq_functions>

  /// The first call in the process loads the library.
  static func load() throws(PostgreSQLError) -> Library { try loaded.get() }

  private static let loaded: Result<Library, PostgreSQLError> = {
    var reason = ""
    let functions = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { room in
      let functions = libpq_load(room.baseAddress, room.count)
      if functions == nil { reason = room.baseAddress.map { String(cString: $0) } ?? "" }
      return functions
    }
    guard let functions else {
      return .failure(
        PostgreSQLError(
          .library,
          message: "PostgreSQL's client library could not be loaded: \(reason). Debian's package is libpq5."
        )
      )
    }
    // Pipeline mode came with PostgreSQL 14.
    guard functions.pointee.PQlibVersion() >= 140_000, functions.pointee.PQisthreadsafe() == 1 else {
      return .failure(
        PostgreSQLError(.library, message: "PostgreSQL's client library is too old: version 14 or newer is required.")
      )
    }
    return .success(Library(functions: functions))
  }()
}
