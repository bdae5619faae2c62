import Foundation
import TestSupport
import Testing

@Suite(
  "The guide for PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(20))
)
struct PostgreSQLGuideTests {
  @Test func `each command runs as the superuser of a server, with the documented output`() async throws {
    let cluster = try await PostgreSQLCluster.shared()
    let script = DocumentScript(try Document("Documentation/postgresql.md"))
    let directory = try TemporaryDirectory()
    let server = ["PGHOST": cluster.folder, "PGPORT": "\(cluster.port)", "PGUSER": "hearth"]
    let environment = server.merging(["HEARTH_DATABASE_UNSAFE": "yes"]) { _, given in given }
    let outputs = try await script.outputs(in: directory.path, port: 1, environment: environment)
    #expect(outputs.count == script.steps.count + 1, "stopped: \(outputs.last ?? "")")
    for (step, output) in zip(script.steps, outputs) {
      if let stated = step.stated { #expect(output.isAsStated(stated.text), "\(step.block.line): \(output)") }
    }

    // The role that owns nothing serves what the other one has created.
    let url = "postgresql://hearth_server@/family?host=\(cluster.folder)&port=\(cluster.port)"
    let program = try Program(
      ["serve", "--port", "0", "--data", directory.path + "/data", "--demo"],
      environment: ["HEARTH_DATABASE_URL": url, "HEARTH_DATABASE_UNSAFE": "yes"]
    )
    let ada = try await Household(port: program.port(), email: "grace@example.com")
    _ = try await ada.addChild("Mia")
    program.signal(SIGTERM)
    #expect(try await program.result().status == 0)
    // It may not create tables.
    _ = try await cluster.execute("CREATE DATABASE unowned")
    let refused = try await Program.run(
      "migrate",
      "--database",
      url.replacing("/family", with: "/unowned"),
      environment: ["HEARTH_DATABASE_UNSAFE": "yes"]
    )
    #expect(refused.status != 0)
    #expect(refused.errors.contains("lacks a right (permission denied for schema public)"), "\(refused.errors)")
  }
}
