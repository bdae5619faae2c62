import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("A10: a child signs in by scanning a code")
struct A10SignInCodeTests {
  private func code(of child: String, _ household: Household) async throws -> Value {
    try await household.parent.ask(Documents.signInCode, ["id": .string(child)])["data.family.child.signInCode"]
  }

  private func scan(_ server: TestServer, _ code: Value) async throws -> Outcome {
    try await server.visitor.perform(Documents.signInWithCode, ["token": code["token"], "device": "tablet"])
  }

  @Test func `scanning signs the child in on the other device, once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let code = try await code(of: mia, ada)
      #expect(code["expiresAt"] == "2026-11-21T08:10:00Z")
      let outcome = try await scan(server, code)
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["credentials.viewer"] == ["__typename": "Child", "id": .string(mia)])
      let tablet = server.visitor.with(token: outcome["credentials.accessToken"].string)
      #expect(try await tablet.ask(Documents.whoAmI)["data.viewer.id"] == .string(mia))
      #expect(try await scan(server, code).userErrors == ["token NOT_FOUND"])
      #expect(try await tablet.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `every child and every request has a code of its own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let children = [try await ada.addChild("Mia"), try await ada.addChild("Ben")]
      let document = "{ family { children { id signInCode { token url expiresAt svg } } } }"
      var codes: [Value] = []
      for _ in 0..<2 { codes += try await ada.parent.ask(document)["data.family.children"].list }
      #expect(Set(codes.compactMap { $0["signInCode.token"].string }).count == 4)
      #expect(Set(codes.compactMap { $0["signInCode.svg"].string }).count == 4)
      for (index, child) in codes.enumerated() {
        let code = child["signInCode"]
        let token = try #require(code["token"].string)
        #expect(token.count == 43)
        #expect(code["url"] == .string("http://127.0.0.1:\(server.port)/sign-in?code=\(token)"))
        #expect(XMLCheck(Array((code["svg"].string ?? "").utf8)).isWellFormed)
        // The second request's codes have replaced the first's.
        let viewer: Value = index < 2 ? .null : .string(children[index % 2])
        #expect(try await scan(server, code)["credentials.viewer.id"] == viewer)
      }
    }
  }

  /// ZXing, an independent reader of QR codes.
  private static func read(_ drawing: String) async throws -> String? {
    try await TestThread {
      let reader = ["python3", Checkout.root.appendingPathComponent("Tests/QRCode/read_qr_code.py").path]
      let (end, output) = try ChildProcess.run(reader, input: drawing, errors: .discarded)
      let text = String(decoding: output, as: UTF8.self)
      return end == .exited(0) ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }.value
  }

  static let hasReader = PythonScript.has("zxingcpp")

  @Test(.enabled(if: hasReader)) func `the picture says the url`() async throws {
    try await TestServer.run(configure: { $0.publicURL = "https://hearth.example/a-family/of-its-own" }) { server in
      let ada = try await Household(on: server)
      let code = try await code(of: try await ada.addChild("Mia"), ada)
      let url: String = try #require(code["url"].string)
      #expect(url.hasPrefix("https://hearth.example/a-family/of-its-own/sign-in?code="))
      #expect(try await Self.read(try #require(code["svg"].string)) == url)
    }
  }

  @Test func `a code is good for ten minutes`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let children = (try await ada.addChild("Mia"), try await ada.addChild("Ben"))
      let (one, other) = (try await code(of: children.0, ada), try await code(of: children.1, ada))
      server.clock.advance(seconds: 599)
      #expect(try await scan(server, one).userErrors.isEmpty)
      server.clock.advance(seconds: 1)
      #expect(try await scan(server, other).userErrors == ["token EXPIRED"])
    }
  }

  @Test func `a new code makes the child's previous one void, and no other child's`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (mia, ben) = (try await ada.addChild("Mia"), try await ada.addChild("Ben"))
      let bens = try await code(of: ben, ada)
      var codes: [Value] = []
      for _ in 0..<20 { codes.append(try await code(of: mia, ada)) }
      let open = "SELECT count(*) FROM one_time_token WHERE purpose = 4"
      #expect(try server.rows(open, columns: 1) == [[2]])
      for code in codes.dropLast() { #expect(try await scan(server, code).userErrors == ["token NOT_FOUND"]) }
      for code in [codes[19], bens] { #expect(try await scan(server, code).userErrors == []) }
    }
  }

  @Test func `aliases of one child in one request have the same code`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let answer = try await ada.parent.ask(
        """
        query ($id: ID!) { family {
          child(id: $id) { one: signInCode { token svg } two: signInCode { token svg } }
          again: child(id: $id) { signInCode { token svg } }
          children { signInCode { token svg } } } }
        """,
        ["id": .string(mia)]
      )["data.family"]
      let codes = [
        answer["child.one"], answer["child.two"], answer["again.signInCode"], answer["children.0.signInCode"],
      ]
      #expect(codes[0]["token"].string != nil && codes.allSatisfy { $0 == codes[0] }, "\(codes)")
      #expect(try await scan(server, codes[0]).userErrors == [])
    }
  }

  @Test func `an expired code is reported as such, although there was another since`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let old = try await code(of: mia, ada)
      server.clock.advance(seconds: 600)
      let new = try await code(of: mia, ada)
      #expect(try await scan(server, old).userErrors == ["token EXPIRED"])
      #expect(try await scan(server, new).userErrors == [])
    }
  }

  @Test func `an invalid code and an invalid device name are reported at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let code = try await code(of: try await ada.addChild("Mia"), ada)
      func scan(_ token: Value) async throws -> [String] {
        try await server.visitor.perform(Documents.signInWithCode, ["token": token, "device": "a\u{7}b"]).userErrors
      }
      #expect(try await scan("nonsense") == ["device INVALID", "token NOT_FOUND"])
      #expect(try await scan(code["token"]) == ["device INVALID"])
      #expect(try await self.scan(server, code).userErrors == [])
    }
  }

  @Test func `codes are for parents, of their own children, and void when the last parent leaves`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let asked = try await child.ask(Documents.signInCode, ["id": .string(mia)])
      #expect(asked["errors"].each("extensions.code") == ["FORBIDDEN"])
      #expect(asked["data.family.child.signInCode"] == .null)
      for document in [
        Documents.signInCode, "query ($id: ID!) { node(id: $id) { ... on Child { signInCode { token } } } }",
      ] {
        let answer = try await other.parent.ask(document, ["id": .string(mia)])
        #expect(answer["errors"] == .null)
        #expect(!answer.text.contains("token"))
      }
      let code = try await code(of: mia, ada)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(try await scan(server, code).userErrors == ["token NOT_FOUND"])
    }
  }

  @Test func `a child that was removed has no code, and one made before is void`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let code = try await code(of: mia, ada)
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors.isEmpty)
      let asked = try await ada.parent.ask(Documents.signInCode, ["id": .string(mia)])
      #expect(asked["data.family.child.signInCode"] == .null)
      #expect(try await scan(server, code).userErrors == ["token NOT_FOUND"])
    }
  }

  @Test func `a device's name is checked, and the code is not spent on a bad one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let code = try await code(of: try await ada.addChild("Mia"), ada)
      let long = Value.string(String(repeating: "d", count: 101))
      let rejected = try await server.visitor.perform(
        Documents.signInWithCode,
        ["token": code["token"], "device": long]
      )
      #expect(rejected.userErrors == ["device TOO_LONG"])
      #expect(try await scan(server, code).userErrors.isEmpty)
    }
  }

  @Test func `a code counts as a mutation of the family, and redeeming it does not`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      _ = try await ada.addChild("Ben")
      let limits = server.services.rateLimits
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let burst = try #require(LimitedAction.mutation.limits.subject).burst
      // Adding the children took two. Two are left.
      let taken = limits.take(
        .mutation,
        count: burst - 4,
        by: .init(subject: .family(family)),
        at: server.clock.clock.now()
      )
      #expect(taken == nil)
      let codes = try await ada.parent.ask("{ family { children { signInCode { token } } } }")["data.family.children"]
      let rejected = try await ada.parent.ask(Documents.signInCode, ["id": .string(mia)])
      #expect(rejected["errors"].each("extensions.code") == ["RATE_LIMITED"])
      for code in codes.each("signInCode") { #expect(try await scan(server, code).userErrors == []) }
      server.clock.advance(seconds: 1)
      #expect(try await code(of: mia, ada)["token"] != .null)
    }
  }

  @Test func `codes are not drawn for any number of children at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for number in 0...SignInCode.maximumAtOnce { _ = try await ada.addChild("Child \(number)") }
      let answer = try await ada.parent.ask("{ family { children { signInCode { token } } } }")
      #expect(answer["errors.0.extensions.code"] == "BAD_USER_INPUT")
    }
  }
}
