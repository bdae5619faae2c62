/// Why a server cannot use a database: one sentence for the operator. No change was made to the database.
package struct StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    case invalidURL
    case missingLibrary
    case unreachable
    case rejectedPassword
    case rejectedConnection
    case untrustedCertificate
    case missingDatabase
    case unsupportedVersion
    case readOnly
    case unsafeSettings
    case wrongEncoding
    case foreignDatabase
    case newerDatabase
    case olderDatabase
    /// The database is to be filled, and has the schema already.
    case notEmpty
    case inUse
    case missingRights
    case failed
  }

  package let code: Code
  package let description: String

  init(_ code: Code, description: String) {
    self.code = code
    self.description = description
  }
}

extension StartFailure {
  /// The failure to open a connection. libpq reports no code, so that its words decide; they are those of English
  /// messages, and other ones are passed on as they are. They contain no password.
  init(_ error: PostgreSQLError, connectingTo url: DatabaseURL) {
    let message = error.message
    func has(_ words: String...) -> Bool { words.contains { message.contains($0) } }
    switch error.code {
    case .library:
      self.init(.missingLibrary, description: message)
    case .timedOut:
      self.init(.unreachable, description: "The database server \(url) does not answer.")
    case _ where has("password authentication failed"):
      self.init(.rejectedPassword, description: "The database server \(url) rejects the user's name or password.")
    case _ where has("no password supplied"):
      self.init(
        .rejectedPassword,
        description:
          "The database server \(url) requires a password: write it into the URL, or set PGPASSWORD or PGPASSFILE."
      )
    case _ where has("certificate", "SSL error", "does not support SSL"):
      self.init(
        .untrustedCertificate,
        description: "The connection to the database server \(url) is not secure: \(message)"
      )
    case _ where has("database \"") && has("does not exist"):
      self.init(.missingDatabase, description: "The database of \(url) does not exist: create it with createdb.")
    case _ where has("pg_hba.conf", "role \"", "too many clients", "permission denied for database"):
      self.init(.rejectedConnection, description: "The database server \(url) rejects the connection: \(message)")
    case _ where has("read-only", "read-write", "hot standby"):
      self.init(.readOnly, description: "No database server of \(url) accepts writes.")
    default:
      self.init(.unreachable, description: "No database server answers at \(url): \(message)")
    }
  }
}
