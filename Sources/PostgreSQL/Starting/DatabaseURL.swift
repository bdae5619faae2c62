import CPostgreSQL

/// The URL of a PostgreSQL database, such as `postgresql://hearth@db1,db2/hearth?sslmode=verify-full`. libpq parses it
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
package struct DatabaseURL: Sendable {
  package let parameters: [(name: String, value: String)]

  package init(_ text: String) throws(StartFailure) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
      throw StartFailure(.invalidURL, description: "The database's URL must begin with postgresql://.")
    }
    guard !text.utf8.contains(0) else {
      throw StartFailure(.invalidURL, description: "The database's URL contains the character U+0000.")
    }
    let library: Library
    do throws(PostgreSQLError) { library = try Library.load() } catch {
      throw StartFailure(.missingLibrary, description: error.message)
    }
    guard let found = Self.parse(text, library: library) else {
      // libpq's message can contain the whole URL, and with it the password.
      throw StartFailure(
        .invalidURL,
        description:
          "The database's URL is not valid. An example is postgresql://user@host:5432/database?sslmode=verify-full, where "
          + "other characters than letters and digits in a password are written as %40 for @."
      )
    }
    func value(_ name: String) -> String? { found.first { $0.name == name }?.value }
    guard value("dbname")?.isEmpty == false else {
      throw StartFailure(
        .invalidURL,
        description: "The database's URL must name a database after the host, as in …/hearth."
      )
    }
    guard value("replication") == nil else {
      throw StartFailure(.invalidURL, description: "The database's URL must not open a replication connection.")
    }
    let hosts = value("host")?.split(separator: ",", omittingEmptySubsequences: false).count ?? 1
    for port in value("port")?.split(separator: ",", omittingEmptySubsequences: false) ?? [] where !port.isEmpty {
      guard let number = Int(port), (1...65_535).contains(number) else {
        throw StartFailure(
          .invalidURL,
          description: "The database's URL has a port that is not a number from 1 to 65535."
        )
      }
    }
    // Of several servers, one is the primary.
    let primary = hosts > 1 && value("target_session_attrs") == nil
    parameters = found + (primary ? [(name: "target_session_attrs", value: "read-write")] : [])
  }

  /// For the connections of a process that serves. Where one address leads to several servers, it does not read the
  /// data of a standby, which can be late, and writes wait for the server that takes over from a primary.
  package var primaryParameters: [(name: String, value: String)] {
    let name = "target_session_attrs"
    return parameters.contains { $0.name == name } ? parameters : parameters + [(name: name, value: "primary")]
  }

  private static func parse(_ text: String, library: Library) -> [(name: String, value: String)]? {
    let functions = library.functions
    var message: UnsafeMutablePointer<CChar>?
    guard let options = functions.pointee.PQconninfoParse(text, &message) else {
      if let message { functions.pointee.PQfreemem(message) }
      return nil
    }
    defer { functions.pointee.PQconninfoFree(options) }
    var found: [(name: String, value: String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        found.append((name: String(cString: keyword), value: String(cString: value)))
      }
      option += 1
    }
    return found
  }
}

extension DatabaseURL: CustomStringConvertible {
  /// The hosts and the database, without user and password.
  package var description: String {
    func values(_ name: String) -> [Substring] {
      parameters.first { $0.name == name }?.value.split(separator: ",", omittingEmptySubsequences: false) ?? []
    }
    let (hosts, ports) = (values("host"), values("port"))
    let servers = hosts.enumerated().map { index, host in
      let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : ""
      return port.isEmpty ? String(host) : "\(host):\(port)"
    }
    let database = values("dbname").joined(separator: ",")
    return "\(servers.isEmpty ? "localhost" : servers.joined(separator: ","))/\(database)"
  }
}
