import TestSupport
import Testing

/// Node's `fetch`, and so most web frameworks, writes the whole body before it reads the response. A connection that
/// is closed before it has done so makes it fail with EPIPE instead.
@Suite("Bodies that are too long", .enabled(if: TutorialTests.hasNode, "Scripts/test installs Node"))
struct LongBodyTests {
  private static let script = """
    const [url, token, length] = process.argv.slice(1);
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    // Twice, since the second request could use the connection of the first.
    for (const body of ['{"query":"{ __typename }"}', "x".repeat(Number(length)), "x".repeat(Number(length))]) {
      const response = await fetch(url, { method: "POST", headers, body });
      console.log(response.status, (await response.text()).length > 0);
    }
    """

  /// The limit is a mebibyte.
  @Test(arguments: [(1 << 20) + 1, 4 << 20, 64 << 20])
  func `are answered with 413, which fetch of Node reads`(length: Int) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let url = "http://127.0.0.1:\(server.port)/graphql"
      let command = ["node", "--input-type=module", "-e", Self.script, url, ada.parent.token ?? "", String(length)]
      let result = try await Command.run(command)
      #expect(result.status == 0 && result.output == "200 true\n413 true\n413 true\n", "\(result.output)")
    }
  }
}
