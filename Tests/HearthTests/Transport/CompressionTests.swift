import Assets
import Foundation
import GraphQLTransport
import TestSupport
import Testing

@testable import Hearth

@Suite("Compressed responses")
struct CompressionTests {
  private static let long = #"{"query":"{ __schema { types { name fields { name } } } }"}"#

  private func unzipped(_ bytes: [UInt8]) async throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let file = URL(fileURLWithPath: folder.path + "/answer.gz")
    try Data(bytes).write(to: file)
    let (end, plain) = try ChildProcess.run(["gzip", "-dc", file.path])
    try #require(end == .exited(0))
    return Array(plain)
  }

  private static let wishes = [
    "gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.8, *;q=0.1", "*", "identity;q=0.5, gzip;q=0.5",
  ]

  @Test func `a long one is, for who prefers it`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.wishes) { wish in
        let plain = try await server.http.post(Self.long)
        let small = try await server.http.post(Self.long, headers: [("Accept-Encoding", wish)])
        #expect(plain.headers["content-encoding"] == nil, "\(wish)")
        #expect(small.headers["content-encoding"] == "gzip", "\(wish)")
        #expect(small.headers["content-type"] == plain.headers["content-type"], "\(wish)")
        #expect(small.body.count < plain.body.count / 2, "\(wish)")
        #expect(try await unzipped(small.body) == plain.body, "\(wish)")
      }
    }
  }

  @Test func `constant responses stay the same`() async throws {
    try await TestServer.run(loops: 1) { server in
      let plain = try await server.http.post(Self.long)
      let answers = [try await server.http.post(Self.long, headers: [("Accept-Encoding", "gzip")])]
      for accept in ["application/json", "application/graphql-response+json", "application/json"] {
        let again = try await server.http.post(Self.long, accept: accept, headers: [("Accept-Encoding", "gzip")])
        #expect(again.body == answers[0].body)
        #expect(again.headers["content-type"] == accept + "; charset=utf-8")
      }
      #expect(try await unzipped(answers[0].body) == plain.body)
      #expect(try await server.http.post(Self.long).body == plain.body)
    }
  }

  @Test func `a response that is sent again is compressed once, and kept so if there is room`() async throws {
    let roomy = try await keptBytes(of: 1 << 20)
    #expect(roomy.afterwards > roomy.plain && roomy.afterwards < roomy.plain * 3 / 2, "\(roomy)")
    // Room for half of a family's responses, and in that for this one alone.
    let exact = 16 * (2 * roomy.plain + 200)
    let full = try await keptBytes(of: exact)
    #expect(full.plain == roomy.plain && full.afterwards == roomy.plain, "\(full)")
  }

  /// The bytes of responses that a server keeps after a query, and after requests for the same from clients that prefer
  /// gzip.
  private func keptBytes(of limit: Int) async throws -> (plain: Int, afterwards: Int) {
    var bytes = (plain: 0, afterwards: 0)
    try await TestServer.run(loops: 1, database: .sqlite, configure: { $0.responseCacheBytes = limit }) { server in
      let ada = try await Household(on: server)
      for number in 1...30 { _ = try await ada.addItem("Tent \(number)") }
      let document = "{ family { items(first: 30) { nodes { id name } } } }"
      let signedIn = [("Authorization", "Bearer \(try #require(ada.parent.token))")]
      let prefersGzip = signedIn + [("Accept-Encoding", "gzip")]
      let counts = server.services.responseCacheCounts
      let executed = try await ada.parent.post(document)
      /// Asks until an earlier response is sent: none is while work that follows a write commits.
      func sentAgain(_ headers: [(String, String)]) async throws -> HTTPAnswer {
        while true {
          let before = counts.hitCount
          let answer = try await server.http.post(#"{"query":"\#(document)"}"#, headers: headers)
          if counts.hitCount > before { return answer }
        }
      }
      let plain = try await sentAgain(signedIn)
      #expect(plain.body == executed.body)
      bytes.plain = counts.byteCount
      let compressed = try await sentAgain(prefersGzip)
      #expect(compressed.headers["content-encoding"] == "gzip")
      #expect(try await unzipped(compressed.body) == plain.body)
      bytes.afterwards = counts.byteCount
      for accept in ["application/json", "application/graphql-response+json"] {
        let again = try await sentAgain(prefersGzip + [("Accept", accept)])
        #expect(again.body == compressed.body)
        #expect(again.headers["content-type"] == accept + "; charset=utf-8")
      }
      #expect(try await sentAgain(signedIn).body == plain.body)
      #expect(counts.byteCount == bytes.afterwards)
      let target = "/graphql?query=%7Bfamily%7Bitems(first:30)%7Bnodes%7Bid%20name%7D%7D%7D%7D"
      let tagged = try await server.http.get(target, headers: signedIn)
      for _ in 0..<3 {
        let again = try await server.http.get(target, headers: signedIn)
        #expect(again.body == plain.body && again.headers["etag"] == tagged.headers["etag"])
        let packed = try await server.http.get(target, headers: prefersGzip)
        #expect(packed.body == compressed.body && packed.headers["content-encoding"] == "gzip")
        #expect(packed.headers["cache-control"] == "private, no-cache")
        let tag = try #require(packed.headers["etag"])
        #expect(tag != tagged.headers["etag"])
        let current = try await server.http.get(target, headers: prefersGzip + [("If-None-Match", tag)])
        #expect(current.status == 304 && current.body.isEmpty && current.headers["etag"] == tag)
      }
      _ = try await ada.addItem("Rope")
      let changed = try await sentAgain(prefersGzip)
      #expect(try await unzipped(changed.body) == (try await ada.parent.post(document)).body)
      #expect(changed.body != compressed.body)
    }
    return bytes
  }

  private static let otherWishes = [
    "", "br", "identity", "gzip;q=0", "gzip;q=0.5, identity", "*;q=0", "gzip;q=2", "gzip;level=9", ";;",
  ]

  @Test func `it is not for who does not`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.otherWishes) { wish in
        let answer = try await server.http.post(Self.long, headers: [("Accept-Encoding", wish)])
        #expect(answer.status == 200, "\(wish)")
        #expect(answer.headers["content-encoding"] == nil, "\(wish)")
      }
    }
  }

  @Test func `a short one is not`() async throws {
    try await TestServer.run { server in
      let short = #"{"query":"{__typename}"}"#
      let answer = try await server.http.post(short, headers: [("Accept-Encoding", "gzip")])
      #expect(answer.headers["content-encoding"] == nil)
    }
  }

  @Test func `the playground's files are, with a tag of their own`() async throws {
    try await TestServer.run { server in
      for asset in Asset.all where asset.bytes.count > 4096 {
        let wish = [("Accept", "text/html, */*;q=0.1"), ("Accept-Encoding", "gzip")]
        let small = try await server.http.get(asset.path, headers: wish)
        #expect(small.headers["content-encoding"] == "gzip", "\(asset.path)")
        #expect(small.headers["vary"]?.contains("Accept-Encoding") == true)
        #expect(try await unzipped(small.body) == asset.bytes)
        let tag = try #require(small.headers["etag"])
        #expect(tag != asset.entityTag)
        #expect(try await server.http.get(asset.path, headers: wish + [("If-None-Match", tag)]).status == 304)
        #expect(
          try await server.http.get(asset.path, headers: wish + [("If-None-Match", asset.entityTag)]).status == 200
        )
      }
    }
  }
}
