import HTTPServer
import TestSupport
import Testing

@testable import GraphQLTransport

/// Callers whose requests take long wait for their turn. Other callers do not. In these tests every request takes long.
@Suite("Throttled requests", .timeLimit(.minutes(5)))
struct ThrottledRequestTests {
  /// - Parameter share: The smaller it is, the longer the second request of a caller waits.
  private static func limits(share: Double, longestWait: UInt64) -> LoopThrottle.Limits {
    var limits = LoopThrottle.Limits(share: share)
    limits.shortTime = 0
    limits.usualTime = 0
    limits.allowance = 0
    limits.longestWait = longestWait
    return limits
  }

  /// Time is free, and so are 200 bytes of a response.
  private static var limitsOfBytes: LoopThrottle.Limits {
    var limits = LoopThrottle.Limits(share: 1e-6)
    limits.usualTime = .max
    limits.freeBytes = 200
    limits.timeOfByte = 1e9
    limits.longestWait = 0
    return limits
  }

  private static let anHour: UInt64 = 3_600_000_000_000

  /// A busy machine can pause between two requests for longer than processor time is measured after the first.
  private func run(
    throttle limits: LoopThrottle.Limits,
    _ body: (NewsServer) async throws -> Void
  ) async throws {
    try await NewsServer.run(throttle: limits) { server in
      await server.onLoop { $0.runner.stopwatch.precisePeriod = Self.anHour }
      try await body(server)
    }
  }

  private func waitUntilWaiting(_ count: Int, on server: NewsServer) async throws {
    try await waitUntil("\(count) requests wait for their turn.") {
      await server.onLoop { $0.runner.throttle.waitingCount } == count
    }
  }

  @Test func `a caller with too much debt is rejected, and another person is not`() async throws {
    try await run(throttle: Self.limits(share: 1e-6, longestWait: 0)) { server in
      let (ada, bob) = (try await server.connect("ada"), try await server.connect("bob"))
      // The first request is not charged: see `LoopStopwatch`.
      for id in ["1", "2"] {
        try await ada.subscribe(id, "{ me }")
        #expect(try await ada.receive() == next(id, #"{"data":{"me":"ada"}}"#))
        #expect(try await ada.receive() == complete(id))
      }
      try await ada.subscribe("3", "{ me }")
      let rejection = "\(try await ada.receive())"
      #expect(rejection.contains("RATE_LIMITED") && rejection.contains("retryAfter"), "\(rejection)")
      try await bob.subscribe("1", "{ me }")
      #expect(try await bob.receive() == next("1", #"{"data":{"me":"bob"}}"#))
    }
  }

  // The first request that is not read in passes is not charged: see `LoopStopwatch`.
  @Test(arguments: [("ada", 2), ("far-ada", 1)])
  func `the time of resolvers is charged, also if they are called in passes`(token: String, served: Int) async throws {
    var limits = Self.limits(share: 1e-6, longestWait: 0)
    limits.shortTime = 20_000_000
    try await run(throttle: limits) { server in
      let ada = try await server.connect(token)
      for id in (1...served).map(String.init) {
        try await ada.subscribe(id, "{ busy }")
        #expect(try await ada.receive() == next(id, #"{"data":{"busy":true}}"#))
        #expect(try await ada.receive() == complete(id))
      }
      try await ada.subscribe("last", "{ busy }")
      #expect("\(try await ada.receive())".contains("RATE_LIMITED"))
    }
  }

  @Test func `a part of a response is charged for its bytes`() async throws {
    // The bytes of the initial part are free.
    try await run(throttle: Self.limitsOfBytes) { server in
      let ada = try await server.connect("ada")
      let fields = (0..<20).map { "field\($0): me" }.joined(separator: " ")
      for id in ["1", "2"] {
        try await ada.subscribe(id, "{ hello ... @defer { me } }")
        while try await ada.receive() != complete(id) {}
      }
      try await ada.subscribe("3", "{ hello ... @defer { \(fields) } }")
      while try await ada.receive() != complete("3") {}
      try await ada.subscribe("4", "{ hello }")
      #expect("\(try await ada.receive())".contains("RATE_LIMITED"))
    }
  }

  @Test func `a long response is charged for its bytes, also if it is the same for everybody`() async throws {
    try await run(throttle: Self.limitsOfBytes) { server in
      let fields = (0..<40).map { "field\($0): __typename" }.joined(separator: " ")
      func status(of query: String) async throws -> String {
        let stream = try await EventStreamTests.Stream.post(
          server.port,
          query,
          "Authorization: Bearer ada\r\n",
          accept: "application/graphql-response+json"
        )
        defer { stream.socket.close() }
        return try await stream.head().first ?? ""
      }
      for _ in 0..<3 {
        let known = try await status(of: "{ __typename }")
        #expect(known.contains("200"))
      }
      let first = try await status(of: "{ \(fields) }")
      #expect(first.contains("200"))
      // The second is known, and would be sent without executing it.
      let second = try await status(of: "{ \(fields) }")
      #expect(second.contains("429"))
      let short = try await status(of: "{ __typename }")
      #expect(short.contains("200"))
    }
  }

  @Test func `a request waits until the debt is paid, and keeps no snapshot meanwhile`() async throws {
    try await run(throttle: Self.limits(share: 0.01, longestWait: Self.anHour)) { server in
      let ada = try await server.connect("ada")
      try await ada.subscribe("1", "{ me }")
      for _ in 0..<2 { _ = try await ada.receive() }
      #expect(server.desk.suspensions.count == 0)
      // On a busy machine the debt can be paid before the next request arrives.
      var request = 1
      while server.desk.suspensions.count == 0 {
        request += 1
        try await ada.subscribe("\(request)", "{ me }")
        #expect(try await ada.receive() == next("\(request)", #"{"data":{"me":"ada"}}"#))
        #expect(try await ada.receive() == complete("\(request)"))
      }
      #expect(await server.onLoop { $0.runner.throttle.waitingCount } == 0)
      // Its session may have ended meanwhile.
      #expect(server.desk.checks.count == 1)
    }
  }

  @Test func `a client that gives up leaves no reservation`() async throws {
    try await run(throttle: Self.limits(share: 1e-9, longestWait: .max)) { server in
      let port = server.port
      let body = #"{"query":"{ me }"}"#
      let request =
        "POST /graphql HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nAuthorization: Bearer ada\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      let client = try await TestThread {
        let socket = try TestSocket(port: port)
        for _ in 0..<2 {
          try socket.send(request)
          _ = try socket.receive(1)
        }
        try socket.send(request)
        return socket
      }.value
      try await waitUntilWaiting(1, on: server)
      client.reset()
      try await waitUntilWaiting(0, on: server)
    }
  }
}
