import Assets
import Foundation
import Testing

@testable import Hearth

@Suite("Compressed responses")
struct CompressionTests {
  private static let long = #"{"query":"{ __schema { types { name fields { name } } } }"}"#

  private func unzipped(_ bytes: [UInt8]) async throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let file = URL(fileURLWithPath: folder.path + "/answer.gz")
    try Data(bytes).write(to: file)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    process.standardOutput = output
    try process.run()
    let plain = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(plain)
  }

  @Test(arguments: [
    "gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.8, *;q=0.1", "*", "identity;q=0.5, gzip;q=0.5",
  ])
  func `a long one is, for who prefers it`(wish: String) async throws {
    try await TestServer.run { server in
      let plain = try await server.http.post(Self.long)
      let small = try await server.http.post(Self.long, headers: [("Accept-Encoding", wish)])
      #expect(plain.headers["content-encoding"] == nil)
      #expect(small.headers["content-encoding"] == "gzip")
      #expect(small.headers["content-type"] == plain.headers["content-type"])
      #expect(small.body.count < plain.body.count / 2)
      #expect(try await unzipped(small.body) == plain.body)
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

  @Test(arguments: [
    "", "br", "identity", "gzip;q=0", "gzip;q=0.5, identity", "*;q=0", "gzip;q=2", "gzip;level=9", ";;",
  ])
  func `it is not for who does not`(wish: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.http.post(Self.long, headers: [("Accept-Encoding", wish)])
      #expect(answer.status == 200)
      #expect(answer.headers["content-encoding"] == nil)
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
