import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

/// What `hearth serve` says about a database that it cannot use: one sentence, and nothing is changed.
@Suite(
  "hearth serve with a PostgreSQL database that it cannot use",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(20))
)
struct PostgreSQLStartTests {
  /// The line that the program ends with.
  private func refusal(_ url: String, _ environment: [String: String] = ["HEARTH_DATABASE_UNSAFE": "yes"]) async throws
    -> String
  {
    let directory = try TemporaryDirectory()
    let environment = environment.merging(["HEARTH_DATABASE_URL": url]) { _, given in given }
    // A folder that the server creates, so that it has nothing to say about its mode.
    let arguments = ["serve", "--port", "0", "--data", directory.path + "/data"]
    let result = try await Program(arguments, environment: environment).result()
    #expect(result.status != 0)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(result.errors)")
    return lines.last.map(String.init) ?? ""
  }

  @Test func `a URL, a password or a server that is wrong`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let (name, tcp) = (try await cluster.makeDatabase(), "localhost:\(cluster.port)")
    #expect(try await refusal("mysql://host/hearth").contains("must begin with postgresql://"))
    #expect(try await refusal("postgresql://host").contains("must name a database"))
    let check = try await Program.run("config", "check", environment: ["HEARTH_DATABASE_URL": "postgresql://host"])
    #expect(check.status == 1 && check.errors.contains("HEARTH_DATABASE_URL cannot be used: "), "\(check.errors)")
    #expect(try await refusal("postgresql://localhost:1/hearth").contains("No database server answers"))
    let wrong = try await refusal("postgresql://hearth:wrong@\(tcp)/\(name)")
    #expect(wrong.contains("rejects the user's name or password") && !wrong.contains("wrong@"))
    #expect(try await refusal("postgresql://hearth@\(tcp)/\(name)").contains("requires a password"))
    #expect(try await refusal(cluster.url(of: "absent")).contains("does not exist: create it with createdb"))
    let untrusted =
      "postgresql://hearth:secret@\(tcp)/\(name)?sslmode=verify-full&sslrootcert=\(cluster.folder)/server.pem"
    #expect(try await refusal(untrusted).contains("is not secure"))
    #expect(try await refusal(cluster.url(of: name), [:]).contains("has fsync = off, so that it loses data"))
    let readOnly = cluster.url(of: name) + "&options=-c%20default_transaction_read_only%3Don"
    #expect(try await refusal(readOnly).contains("is read-only"))
    let tables = try await cluster.execute(
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      in: name
    )
    #expect(tables == "0\n")
  }

  @Test func `a database of another program, or of a newer Hearth`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let other = try await cluster.makeDatabase()
    try await cluster.execute("CREATE TABLE customer (id bigint)", in: other)
    #expect(try await refusal(cluster.url(of: other)).contains("belongs to another program: it has the table customer"))
    let newer = try await cluster.makeDatabase()
    let migrated = try await Program.run(
      "migrate",
      "--database",
      cluster.url(of: newer),
      environment: ["HEARTH_DATABASE_UNSAFE": "yes"]
    )
    #expect(migrated.output == "The database is up to date.\n", "\(migrated.errors)")
    let next = Migration.all.count + 1
    try await cluster.execute("INSERT INTO migration VALUES (\(next), 'next', 0)", in: newer)
    #expect(
      try await refusal(cluster.url(of: newer)).contains(
        "is at version \(next) and this program supports versions up to \(next - 1)"
      )
    )
    // The other commands too.
    for arguments in [["check"], ["backup", "/nowhere/hearth.db"]] {
      let result = try await Program([arguments[0], "--database", cluster.url(of: newer)] + arguments.dropFirst())
        .result()
      #expect(result.status != 0 && result.errors.contains("supports versions up to"), "\(result.errors)")
    }
    try await cluster.execute("DELETE FROM migration WHERE number >= \(next - 1)", in: newer)
    let older = try await Program.run("check", "--database", cluster.url(of: newer))
    #expect(older.errors.contains("is of an older version: migrate it with hearth migrate"), "\(older.errors)")
  }
}
