import Foundation
import Glibc
import TestSupport
import Testing

/// The environment that the operators' guide describes: a reverse proxy with TLS, and a systemd unit.
@Suite("Deployment as documented", .timeLimit(.minutes(20)))
struct DeploymentTests {
  static func has(_ program: String) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  @Test(.enabled(if: has("nginx") && PythonScript.has("websockets"), "Scripts/test installs them"))
  func `behind nginx with TLS`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(
      directory,
      "--demo",
      environment: [
        "HEARTH_CLIENT_ADDRESS_HEADER": "X-Forwarded-For", "HEARTH_PUBLIC_URL": "https://hearth.example.com",
      ]
    )
    let site = try Document("Documentation/operating.md").block("nginx").text
    try site.write(toFile: directory.path + "/site.conf", atomically: false, encoding: .utf8)
    let result = try await PythonScript.run(
      "Documentation/behind_nginx.py",
      directory.path,
      String(try await server.port())
    )
    #expect(result == .ok)
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test(.enabled(if: has("nginx"), "Scripts/test installs it"))
  func `nginx reports processes that cannot be reached in the form of the server's own errors`() async throws {
    #expect(try await PythonScript.run("Live/unreachable.py") == .ok)
  }

  @Test(arguments: ["operating", "processes"])
  func `a site for nginx does not publish the metrics`(page: String) throws {
    let site = try Document("Documentation/\(page).md").block("nginx").text
    #expect(site.contains("  location = /metrics {\n    return 404;\n  }\n"))
  }

  @Test func `the unit starts again and again until its database answers`() throws {
    let unit = try Document("Documentation/operating.md").block("ini").text
    for line in ["After=network-online.target postgresql.service", "StartLimitIntervalSec=0", "RestartSec=2"] {
      #expect(unit.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test(.enabled(if: has("systemd-analyze")))
  func `the unit is one that systemd takes`() async throws {
    let directory = try TemporaryDirectory()
    let text = try Document("Documentation/operating.md").block("ini").text
    #expect(text.contains("ExecStart=/usr/local/bin/hearth serve"))
    let unit = directory.path + "/hearth.service"
    // Only the path of the program differs.
    try text.replacing("/usr/local/bin/hearth", with: try Program.executable().path)
      .write(toFile: unit, atomically: false, encoding: .utf8)
    let result = try await Command.run(["systemd-analyze", "verify", "--man=no", unit])
    // Errors of other units of the machine are reported too.
    let faults = result.output.split(separator: "\n").filter { $0.contains("hearth") }
    #expect(faults == [], "\(result.output)")
    #expect(result.status == 0, "\(result.output)")
  }
}
