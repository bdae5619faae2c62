import TestSupport
import Testing

@testable import Hearth

@Suite("The server never stops serving others", .timeLimit(.minutes(20)))
struct UnkindClientTests {
  private static let dashboard = """
    { family { name children { name points assignedChores { nodes { name dueAt assignees { name } } } }
      chores(first: 100) { nodes { name notes } } } }
    """

  /// Runs `unkind` while three clients on connections of their own ask for their dashboards, and checks that each of
  /// them was answered, before it, during it and after it.
  private func serving(
    _ server: TestServer,
    _ unkind: @escaping @Sendable (Household) async throws -> Void
  ) async throws {
    let ada = try await Household(on: server)
    let mia = try await ada.addChild("Mia")
    for number in 0..<20 { _ = try await ada.addChore("Chore \(number)", for: [mia]) }
    let expected = try await ada.parent.post(Self.dashboard).text
    let served = Counter()
    let done = Counter()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        let parent = ada.parent.another
        group.addTask {
          repeat {
            let answer = try await parent.post(Self.dashboard)
            #expect(answer.text == expected)
            served.increment()
          } while done.count == 0
          let answer = try await parent.post(Self.dashboard)
          #expect(answer.text == expected)
        }
      }
      await served.wait(for: 3)
      let before = served.count
      do { try await unkind(ada) } catch { Issue.record(error) }
      await served.wait(for: before + 3)
      done.increment()
      try await group.waitForAll()
    }
  }

  private static func head(_ server: TestServer, length: Int) -> String {
    "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
  }

  @Test func `while many send half a request and wait`() async throws {
    try await TestServer.run { server in
      try await serving(server) { ada in
        let whole = Self.head(server, length: 24) + #"{"query":"{__typename}"}"#
        let sockets = try await TestThread {
          try (1..<whole.utf8.count).map { length in
            let socket = try TestSocket(port: server.port)
            try socket.send(Array(whole.utf8.prefix(length)))
            return socket
          }
        }.value
        for _ in 0..<20 { #expect(try await ada.parent.post(Documents.whoAmI).status == 200) }
        // Each still gets its response when it sends the rest.
        let answers = try await TestThread {
          try sockets.enumerated().map { index, socket in
            try socket.send(Array(whole.utf8.dropFirst(index + 1)))
            return try socket.httpAnswer().status
          }
        }.value
        #expect(Set(answers) == [200])
      }
    }
  }

  @Test func `while some ask without end and read nothing`() async throws {
    try await TestServer.run { server in
      try await serving(server) { ada in
        let token = try #require(ada.parent.token)
        let body = (["query": .string(Self.dashboard)] as Value).text
        let request =
          "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let stalled = try await TestThread {
          try (0..<4).map { _ in
            let socket = try TestSocket(port: server.port, receiveBuffer: 4096)
            for _ in 0..<100 { try socket.send(request) }
            return socket
          }
        }.value
        for _ in 0..<20 { #expect(try await ada.parent.post(Documents.whoAmI).status == 200) }
        // When they finally read, everything is there.
        let first = try #require(stalled.first)
        let length = try await ada.parent.post(Self.dashboard).body.count
        let received = try await TestThread { try first.receive(100 * length).count }.value
        #expect(received == 100 * length)
      }
    }
  }

  @Test func `after a thousand have disconnected silently`() async throws {
    try await TestServer.run { server in
      try await serving(server) { ada in
        let token = try #require(ada.parent.token)
        let body = (["query": .string(Self.dashboard)] as Value).text
        let request =
          "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try await TestThread {
          for number in 0..<300 {
            let socket = try TestSocket(port: server.port)
            // Nothing, a part, or all of it, sometimes twice; and away without reading.
            let parts = [
              [], Array(request.utf8.prefix(number % 300)), Array(request.utf8), Array((request + request).utf8),
            ]
            try socket.send(parts[number % 4])
            if number % 8 < 4 { socket.reset() } else { socket.close() }
          }
        }.value
      }
    }
  }

  @Test func `while a password is guessed at`() async throws {
    try await TestServer.run { server in
      try await serving(server) { _ in
        await withTaskGroup { group in
          for _ in 0..<100 {
            let visitor = server.visitor
            group.addTask {
              // More than the queue holds: some are rejected, and none is accepted.
              do {
                let outcome = try await visitor.perform(
                  Documents.signIn,
                  A02SignInTests.input("ada@example.com", "wrong")
                )
                #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"] || outcome.codes == ["OVERLOADED"])
              } catch {
                Issue.record(error)
              }
            }
          }
        }
      }
    }
  }

  @Test func `requests that are too large are rejected before they are read`() async throws {
    try await TestServer.run { server in
      try await serving(server) { ada in
        for length in [1_048_577, 10_000_000_000] {
          let answer = try await TestThread {
            let socket = try TestSocket(port: server.port)
            try socket.send(Self.head(server, length: length))
            return try socket.httpAnswer()
          }.value
          #expect(answer.status == 413)
        }
        let chunked = try await TestThread {
          let socket = try TestSocket(port: server.port)
          try socket.send(
            "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
          )
          let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
          // The server may end the connection while this is being sent.
          do { for _ in 0..<64 { try socket.send(chunk) } } catch {}
          return try socket.httpAnswer()
        }.value
        #expect(chunked.status == 413)
        // Bodies up to the limit are read.
        let padding = String(repeating: " ", count: 1_048_576 - 24)
        let token = [("Authorization", "Bearer \(try #require(ada.parent.token))")]
        let whole = #"{"query":"{__typename}"}"# + padding
        #expect(try await ada.parent.http.post(whole, headers: token).status == 200)
      }
    }
  }

  @Test func `while documents and values are as large as they may be`() async throws {
    try await TestServer.run { server in
      try await serving(server) { ada in
        let marks = String(repeating: "a\u{316}\u{301}\u{323}\u{302}", count: 40_000)
        let ids = Array(repeating: Value.string("0000000000000"), count: 60_000)
        let clock = ContinuousClock()
        let requests: [(String, Value?)] = [
          ("{ " + String(repeating: "a:__typename ", count: 60_000) + "}", nil),
          (String(repeating: "{a", count: 300_000), nil),
          ("{ viewer { ...F } } " + (0..<10_000).map { "fragment F\($0) on Child { id } " }.joined(), nil),
          (Documents.signIn, A02SignInTests.input(marks, marks)),
          (Documents.register, ["input": Household.form(marks).setting("name", .string(marks))]),
          (Documents.addChild, ["input": ["name": .string(marks), "username": .string(marks), "birth": ["age": 1]]]),
          (Documents.addChore, ["input": ["name": .string(marks), "assigneeIds": .array(Array(ids.prefix(20_000)))]]),
          ("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ["ids": .array(ids)]),
          (
            Documents.assignPoints,
            ["input": ["childId": "x", "chores": .array(ids.prefix(20_000).map { ["choreId": $0, "points": 9] })]]
          ),
          (Documents.refresh, ["token": .string(marks)]),
        ]
        for (document, variables) in requests {
          let parent = ada.parent.another
          let time = try await clock.measure {
            let answer = try await parent.post(document, variables)
            #expect([200, 400, 422].contains(answer.status), "\(document.prefix(60))")
            #expect(answer.body.count < 200_000, "\(document.prefix(60))")
          }
          #expect(time < .seconds(60), "\(document.prefix(60))")
        }
      }
    }
  }
}
