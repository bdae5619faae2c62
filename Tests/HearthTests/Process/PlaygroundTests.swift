import Foundation
import TestSupport
import Testing

@testable import Hearth

/// The playground in a headless Chromium, on a server with demo data. The tests are in `Tests/Playground`.
/// Its screenshots are kept in `.build/playground`.
@Suite("The playground in a browser", .timeLimit(.minutes(20)))
struct PlaygroundTests {
  static let isAvailable =
    PythonScript.has("selenium", "axe_core_python")
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")

  /// Three browsers at a time, for about equally long: more than half of the time, each waits for something.
  static let modules = [
    ["test_playground"],
    ["test_features", "test_insight", "test_live", "test_delivery", "test_account_pages"],
    ["test_tools", "test_page", "test_visible", "test_scripts"],
  ]

  @Test func `every module is run`() throws {
    let folder = Checkout.root.appendingPathComponent("Tests/Playground").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let found = files.compactMap { $0.wholeMatch(of: /(test_\w+)\.py/).map { String($0.1) } }
    #expect(Self.modules.joined().sorted() == found.sorted())
  }

  @Test(.enabled(if: isAvailable, "Scripts/test installs Chromium and Selenium"), arguments: modules)
  func `does what people need of it`(modules: [String]) async throws {
    for module in modules { try await run(module) }
  }

  private func run(_ module: String) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program(["serve", "--port", "0", "--data", directory.path, "--demo"])
    let port = try await server.port()
    let result = try await Command.run(
      ["python3", "-m", "unittest", module],
      in: Checkout.root.appendingPathComponent("Tests/Playground").path,
      environment: [
        "HEARTH_PROGRAM": Program.executable().path,
        "HEARTH_URL": "http://127.0.0.1:\(port)/graphql",
        "HEARTH_OUTBOX": directory.path + "/outbox",
        "HEARTH_SCREENSHOTS": Checkout.root.appendingPathComponent(".build/playground").path,
        "PYTHONDONTWRITEBYTECODE": "1",
      ]
    )
    server.signal(SIGTERM)
    _ = try await server.result()
    #expect(result.status == 0, "\(result.output)")
  }
}
