import Storage

extension ServerSetting {
  /// Where the data is.
  static let database: [ServerSetting] = [
    ServerSetting(
      "DATABASE_URL",
      default: "none",
      "a PostgreSQL database for the data, such as `postgresql://hearth@db.example.com/hearth?sslmode=verify-full`, instead of the SQLite file in the data folder: see [PostgreSQL](#postgresql)"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      if let fault = Database.fault(ofURL: text) { throw given.invalid("cannot be used: \(fault)") }
      configuration.databaseURL = text
    },
    .number(
      "DATABASE_CONNECTIONS",
      property: \.databaseLimits.postgreSQL.connectionsPerLoop,
      in: 1...100,
      "the maximum number of connections to PostgreSQL with which the requests of one event loop read"
    ),
    .choice(
      "DATABASE_HINTS",
      property: \.databaseHints,
      "`notify` or `poll`: how processes on the same PostgreSQL database learn that others have written, by its messages or by reading every few seconds"
    ),
    .flag(
      "DATABASE_UNSAFE",
      property: \.allowsUnsafeDatabase,
      "whether a PostgreSQL server is used that can lose stored data when it crashes, as with `fsync = off`: `yes` or `no`"
    ),
  ]
}
