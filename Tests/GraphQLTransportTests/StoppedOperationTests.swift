import TestSupport
import Testing

@testable import GraphQLTransport

/// Operations that a client stops before their tasks have run.
@Suite("Stopped operations", .timeLimit(.minutes(10)))
struct StoppedOperationTests {
  @Test(arguments: [#"mutation { say(text: \"hi\") }"#, "subscription { news { number } }"])
  func `a client that starts and stops operations without pause takes a bounded amount of memory`(
    query: String
  ) async throws {
    var live = NewsServer.patient
    live.maximumOperations = 2
    try await NewsServer.run(live: live) { server in
      server.desk.whenSaid { _ in }
      let socket = try await server.connect().socket
      let pair = [
        #"{"id":"a","type":"subscribe","payload":{"query":"\#(query)"}}"#, #"{"id":"a","type":"complete"}"#,
      ]
      let frames = pair.flatMap { TestWebSocket.frame(0x1, Array($0.utf8)) }
      let flood = Array(repeating: frames, count: 5_000).flatMap(\.self)
      let sending = TestThread {
        try socket.socket.send(flood)
        try socket.send(#"{"id":"z","type":"subscribe","payload":{"query":"{ hello }"}}"#)
      }
      let other = try await server.connect("bob")
      try await other.subscribe("b", #"mutation { say(text: \"ho\") }"#)
      #expect(try await other.receive() == next("b", #"{"data":{"say":"ho"}}"#))
      try await sending.value
      let last = try await TestThread {
        while true {
          let frame = try socket.receive()
          // Some operations have their responses before they are stopped.
          guard case .text(let text) = frame, text.hasPrefix(#"{"id":"a""#) else { return frame }
        }
      }.value
      #expect(last == next("z", #"{"data":{"hello":"Hello, you!"}}"#))
      #expect(server.desk.contexts.most <= live.maximumTasks + 8)
    }
  }

  @Test func `messages wait while many stopped operations still run`() async throws {
    var live = NewsServer.patient
    live.maximumOperations = 2
    try await NewsServer.run(live: live) { server in
      let gate = Gate()
      let socket = try await Self.socket(stopping: live.maximumTasks, on: server, until: gate)
      try await socket.subscribe("z", "{ long(bytes: 1) }")
      // The only loop has read the messages when it answers a later connection.
      let other = try await server.connect("bob")
      try await other.subscribe("b", "{ hello }")
      #expect(try await other.receive() == next("b", #"{"data":{"hello":"Hello, you!"}}"#))
      #expect(server.desk.executions == 0)
      gate.open()
      var last = try await socket.receive()
      // The last mutation can have its response before it is stopped.
      while case .text(let text) = last, text.hasPrefix(#"{"id":"a""#) { last = try await socket.receive() }
      #expect(last == next("z", #"{"data":{"long":"x"}}"#))
    }
  }

  @Test func `that do not end close the connection`() async throws {
    var live = NewsServer.patient
    (live.maximumOperations, live.taskWait) = (2, .seconds(1))
    try await NewsServer.run(live: live) { server in
      let gate = Gate()
      let socket = try await Self.socket(stopping: live.maximumTasks, on: server, until: gate)
      #expect(try await socket.receive() == .close(1013, "OVERLOADED: Operations that were stopped still run."))
      gate.open()
    }
  }

  /// A socket that has started and stopped mutations, which run until the gate opens.
  private static func socket(stopping count: Int, on server: NewsServer, until gate: Gate) async throws -> LiveSocket {
    let said = Counter()
    server.desk.whenSaid { _ in
      said.increment()
      await gate.pass()
    }
    let socket = try await server.connect()
    for number in 1...count {
      try await socket.subscribe("a", #"mutation { say(text: \"hi\") }"#)
      await said.wait(for: number)
      try await socket.send(#"{"id":"a","type":"complete"}"#)
    }
    return socket
  }
}
