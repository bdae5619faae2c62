import Assets
import Crypto
import Foundation
import Testing

@testable import Hearth

@Suite("The playground's page")
struct PlaygroundPageTests {
  /// As a browser requests a page.
  static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

  @Test func `a browser gets the page, with a policy that lets nothing foreign in`() async throws {
    try await TestServer.run { server in
      for accept in [Self.browser, "text/html", "text/html, application/json;q=0.5"] {
        let answer = try await server.http.get("/graphql", accept: accept)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["content-security-policy"] == PlaygroundPage.securityPolicy)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["vary"]?.hasPrefix("Accept") == true)
        #expect(answer.body == Asset.playgroundPage.bytes)
      }
    }
  }

  @Test func `scripts of requests run in a document of another origin, without a network`() async throws {
    try await TestServer.run { server in
      let frame = try await server.http.get("/graphql/\(ScriptFrame.name)", accept: Self.browser)
      #expect(frame.status == 200)
      #expect(frame.headers["content-type"] == "text/html; charset=utf-8")
      let policy = Self.directives(try #require(frame.headers["content-security-policy"]))
      #expect(
        policy == [
          "default-src 'none'", "script-src '\(ScriptFrame.scriptHash)'", "worker-src blob:", "connect-src 'none'",
          "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox allow-scripts",
        ]
      )
      let script = try #require(frame.text.firstMatch(of: /(?s)<script>(.*)<\/script>/))
      let hash = Data(SHA256.hash(data: Data(script.1.utf8))).base64EncodedString()
      #expect(ScriptFrame.scriptHash == "sha256-\(hash)")
    }
  }

  @Test func `no other document of the server can be framed`() async throws {
    try await TestServer.run { server in
      for asset in Asset.all where !asset.path.hasSuffix(ScriptFrame.name) {
        let answer = try await server.http.get(asset.path, accept: Self.browser)
        let policy = Self.directives(try #require(answer.headers["content-security-policy"]))
        #expect(policy.contains("frame-ancestors 'none'"), "\(asset.path)")
        #expect(!policy.contains { $0.contains("unsafe") }, "\(asset.path)")
      }
    }
    let policy = Self.directives(PlaygroundPage.securityPolicy)
    #expect(policy.contains("frame-src 'self'") && policy.contains("script-src 'self'"))
  }

  private static func directives(_ policy: String) -> [String] { policy.components(separatedBy: "; ") }

  @Test(arguments: [nil, "*/*", "application/json", "application/graphql-response+json", "text/html;q=0.1, */*"])
  func `a program does not`(accept: String?) async throws {
    try await TestServer.run { server in
      let answer = try await server.http.get("/graphql", accept: accept)
      #expect(answer.status == (accept == "application/json" ? 400 : 422))
      #expect(answer.codes == ["BAD_REQUEST"])
      #expect(answer.headers["vary"]?.hasPrefix("Accept") == true)
    }
  }

  @Test func `a browser that follows a link to a query gets its response`() async throws {
    try await TestServer.run { server in
      let answer = try await server.http.get("/graphql?query=%7B__typename%7D", accept: Self.browser)
      #expect(answer.status == 200)
      #expect(answer.text == #"{"data":{"__typename":"Query"}}"#)
    }
  }

  @Test func `a file that has not changed is not sent again`() async throws {
    try await TestServer.run { server in
      for asset in Asset.all {
        let http = server.http
        let first = try await http.get(asset.path, accept: "text/html, */*;q=0.1")
        #expect(first.status == 200)
        #expect(first.headers["content-type"] == asset.mediaType)
        #expect(first.body == asset.bytes)
        let tag = try #require(first.headers["etag"])
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
          let headers = [("Accept", "text/html, */*;q=0.1"), ("If-None-Match", known)]
          let again = try await http.get(asset.path, headers: headers)
          #expect(again.status == 304, "\(asset.path) \(known)")
          #expect(again.headers["etag"] == tag)
          #expect(again.body.isEmpty)
        }
        let lines = ["\"other\"", tag].map { ("If-None-Match", $0) }
        #expect(try await http.get(asset.path, accept: "text/html, */*;q=0.1", headers: lines).status == 304)
        let headers = [("Accept", "text/html, */*;q=0.1"), ("If-None-Match", "\"other\"")]
        #expect(try await http.get(asset.path, headers: headers).status == 200)
        for (named, status) in [(tag, 200), ("\"other\"", 412)] {
          let headers = [("Accept", "text/html, */*;q=0.1"), ("If-Match", named)]
          #expect(try await http.get(asset.path, headers: headers).status == status, "\(asset.path) \(named)")
        }
      }
    }
  }
}
