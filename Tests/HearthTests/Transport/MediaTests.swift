import Dispatch
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("Stored pictures are served")
struct MediaTests {
  private static let content = SamplePicture.jpeg(xmp: [UInt8](repeating: 0x20, count: 500))

  private func withPicture(_ body: (TestServer, Value) async throws -> Void) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": Self.content])
      try await body(server, outcome["item.photo"])
    }
  }

  @Test func `for keeps, to be looked at and nothing else`() async throws {
    try await withPicture { server, picture in
      let answer = try await server.visitor.load(picture)
      #expect(answer.status == 200 && answer.body == Self.content)
      #expect(answer.headers["content-type"] == "image/jpeg")
      #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["content-security-policy"] == "default-src 'none'; sandbox")
      #expect(answer.headers["accept-ranges"] == "bytes")
      let tag = try #require(answer.headers["etag"])
      for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let again = try await server.visitor.load(picture, headers: [("If-None-Match", known)])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag, "\(known)")
      }
      #expect(try await server.visitor.load(picture, headers: [("If-None-Match", "\"other\"")]).status == 200)
      for (named, status) in [(tag, 200), ("*", 200), ("\"other\"", 412)] {
        let matched = try await server.visitor.load(picture, headers: [("If-Match", named), ("Range", "bytes=0-")])
        #expect(matched.status == (status == 200 ? 206 : status), "\(named)")
      }
      let path = try #require(picture["url"].string).dropFirst("http://127.0.0.1:\(server.port)".count)
      let head = try await server.http.send("HEAD", String(path))
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers["content-length"] == String(Self.content.count))
      #expect(try await server.http.send("POST", String(path), body: []).status == 405)
    }
  }

  @Test func `by ranges`() async throws {
    try await withPicture { server, picture in
      let count = Self.content.count
      let cases: [(String, Range<Int>?)] = [
        ("bytes=0-9", 0..<10), ("bytes=10-", 10..<count), ("bytes=-5", count - 5..<count), ("BYTES=0-0", 0..<1),
        ("bytes=0-99999999", 0..<count), ("bytes=-99999999", 0..<count), ("bytes=\(count)-", nil), ("bytes=-0", nil),
      ]
      for (range, expected) in cases {
        let answer = try await server.visitor.load(picture, headers: [("Range", range)])
        if let expected {
          #expect(answer.status == 206 && answer.body == Array(Self.content[expected]), "\(range)")
          let contentRange = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(count)"
          #expect(answer.headers["content-range"] == contentRange, "\(range)")
        } else {
          #expect(answer.status == 416 && answer.headers["content-range"] == "bytes */\(count)", "\(range)")
        }
      }
      for ignored in ["bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=", "bytes=-", "bytes= 0-1"] {
        #expect(
          try await server.visitor.load(picture, headers: [("Range", ignored)]).body == Self.content,
          "\(ignored)"
        )
      }
      let tag = try #require(try await server.visitor.load(picture).headers["etag"])
      let range = ("Range", "bytes=0-0")
      #expect(try await server.visitor.load(picture, headers: [range, ("If-Range", tag)]).status == 206)
      for other in ["\"other\"", "W/\(tag)", "Sat, 21 Nov 2026 08:00:00 GMT"] {
        #expect(try await server.visitor.load(picture, headers: [range, ("If-Range", other)]).status == 200)
      }
    }
  }

  @Test(.onlySQLite("It changes the file."))
  func `a file that is longer than any picture is not read`() async throws {
    try await withPicture { server, picture in
      let file = try #require(server.pictureFiles.first)
      try #require(truncate("\(server.directory.path)/media/\(file)", 1 << 40) == 0)
      let answer = try await server.visitor.load(picture)
      #expect(answer.status == 500 && answer.headers["cache-control"] == "no-store")
    }
  }

  /// Runs `body` while the threads of a pool are busy, and a number of other works wait.
  private func withBusy(
    _ pool: WorkerPool,
    waiting count: Int,
    in lane: WorkLane,
    _ body: () async throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    let (running, threads) = (Counter(), 2)
    let busy = (0..<threads).map { _ in
      Task {
        try await pool.run(in: lane) {
          running.increment()
          gate.wait()
        }
      }
    }
    await running.wait(for: threads)
    let queued = (0..<count).map { _ in Task { try await pool.run(in: lane) {} } }
    try await waitUntil("The queue is filled.") { pool.waitingCount == count }
    var failure: (any Error)?
    do { try await body() } catch { failure = error }
    for _ in 0..<threads { gate.signal() }
    for task in busy + queued { _ = await task.result }
    if let failure { throw failure }
  }

  @Test func `past the limit of queued loads as 503 and the time to wait`() async throws {
    try await withPicture { server, picture in
      // Clients on this machine are of no known network.
      let lane = PictureStore.Work.load.lane(of: ClientNetwork?.none)
      try await withBusy(server.services.pictures.workers, waiting: 1_024, in: lane) {
        let answer = try await server.visitor.load(picture)
        #expect(answer.status == 503 && answer.text.hasPrefix("Too many pictures"), "\(answer.text)")
        #expect(answer.headers["retry-after"] == "5")
      }
      #expect(try await server.visitor.load(picture).status == 200)
    }
  }

  @Test func `while the uploads of others are examined`() async throws {
    try await withPicture { server, picture in
      let pictures = server.services.pictures
      try await withBusy(pictures.uploads, waiting: 1, in: PictureStore.Work.examine.lane(of: 1)) {
        let answer = try await server.visitor.load(picture)
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `only for callers who were given the URL`() async throws {
    try await withPicture { server, picture in
      let url = try #require(picture["url"].string)
      let path = String(url.dropFirst("http://127.0.0.1:\(server.port)".count))
      let parts = path.split(separator: "/")
      try #require(parts.count == 4)
      let signature = parts[3].prefix { $0 != "." }
      let other = signature.first == "0" ? "1" + signature.dropFirst() : "0" + signature.dropFirst()
      for wrong in [
        "/media/picture/\(parts[2])/\(other).jpg", "/media/picture/\(parts[2])/\(signature).png",
        "/media/picture/\(parts[2])/\(signature)", "/media/picture/\(parts[2])/.jpg", "/media/picture/\(parts[2])",
        "/media/picture/\(parts[2])/\(signature.uppercased()).jpg",
        "/media/picture/\(parts[2].dropLast())/\(signature).jpg",
        "/media/\(parts[2].prefix(2))/\(parts[2].dropFirst(2))", "/media/../hearth.db", "/media/",
        "/media/%2e%2e/hearth.db",
        path + "/", "/media/incoming",
      ] { #expect(try await server.http.get(wrong).status == 404, "\(wrong)") }
      // Another server's key signs otherwise.
      try await TestServer.run { stranger in
        let answer = try await stranger.http.get(path)
        #expect(answer.status == 404)
      }
    }
  }
}
