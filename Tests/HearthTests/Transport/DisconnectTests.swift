import EventLoop
import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Clients that go while they are answered", .timeLimit(.minutes(10)))
struct DisconnectTests {
  enum Leaving: CaseIterable { case close, halfClose, reset }

  /// Sends a mutation of three fields, lets the client go while the first is being written, and gives the names of the
  /// items that there are then.
  private func items(
    on server: TestServer,
    of ada: Household,
    sending: (String) throws -> Void,
    leaving: () throws -> Void
  ) async throws -> [String?] {
    let database = server.services.database
    try await server.holdingWrites {
      let fields = ["a", "b", "c"].map { #"\#($0): addItem(input: {name: \"\#($0)\"}) { item { id } }"# }
      try sending(#"{"query":"mutation { \#(fields.joined(separator: " ")) }"}"#)
      while database.waitingWrites == 0 { await Task.yield() }
      try leaving()
      // The only loop has noticed the disconnect when it answers later requests.
      for _ in 0..<3 { _ = try await server.visitor.ask("{ __typename }") }
    }
    for _ in 0..<3 { try await database.write { _ in } }
    let answer = try await ada.parent.another.ask("{ family { items { nodes { name } } } }")
    return answer["data.family.items.nodes"].each("name").map(\.string)
  }

  @Test(arguments: Leaving.allCases)
  func `a mutation starts no further field`(leaving: Leaving) async throws {
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let socket = try TestSocket(port: server.port)
      let names = try await items(
        on: server,
        of: ada,
        sending: { body in
          try socket.send(
            """
            POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ada.parent.token ?? "")\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
          )
        },
        leaving: {
          switch leaving {
          case .close: socket.close()
          case .halfClose: socket.sendEnd()
          case .reset: socket.reset()
          }
        }
      )
      #expect(names == ["a"])
      if leaving == .halfClose {
        let answer = String(decoding: try socket.receiveAll(), as: UTF8.self)
        #expect(answer.contains(#""code":"REQUEST_CANCELLED""#) && answer.contains("before \\\"b\\\" was started"))
      }
    }
  }

  @Test func `an upload that waits is no internal error`() async throws {
    let log = RecordedLog()
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.scalingProgram = "/bin/false"
      configuration.pictureCacheBytes = 1 << 20
    }
    try await TestServer.run(loops: 1, log: log.logger, configure: configure) { server in
      let ada = try await Household(on: server)
      let workers = server.services.pictures.scaled.workers
      let (begun, mayEnd) = (Counter(), DispatchSemaphore(value: 0))
      let holding = (0..<ScaledPictures.threads).map { _ in
        Task {
          try await workers.run {
            begun.increment()
            mayEnd.wait()
          }
        }
      }
      while begun.count < holding.count { await Task.yield() }
      var form = FormBody()
      let variables: Value = ["input": ["name": "Tent", "photo": nil]]
      form.add("operations", (["query": .string(Documents.addItem), "variables": variables] as Value).text)
      form.add("map", #"{"0":["variables.input.photo"]}"#)
      form.add("0", SamplePicture.jpeg(), fileName: "tent.jpg")
      let head = """
        POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ada.parent.token ?? "")\r\n\
        GraphQL-Require-Preflight: 1\r\nContent-Type: \(FormBody.contentType)\r\n\
        Content-Length: \(form.whole.count)\r\n\r\n
        """
      let leaving = try TestSocket(port: server.port)
      try leaving.send(Array(head.utf8) + form.whole)
      while workers.waitingCount == 0 { await Task.yield() }
      // So that the response can still be read.
      leaving.sendEnd()
      // The only loop has noticed the disconnect when it answers later requests.
      for _ in 0..<3 { _ = try await server.visitor.ask("{ __typename }") }
      for _ in holding { mayEnd.signal() }
      for task in holding { try await task.value }
      let answer = try await TestThread { String(decoding: try leaving.receiveAll(), as: UTF8.self) }.value
      #expect(answer.contains(#""code":"REQUEST_CANCELLED""#), "\(answer)")
      #expect(!log.messages.contains { $0.hasPrefix("A field could not be resolved.") }, "\(log.messages)")
    }
  }

  @Test func `over a WebSocket that is closed as well`() async throws {
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let socket = try TestWebSocket(port: server.port, subprotocol: "graphql-transport-ws")
      try socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(ada.parent.token ?? "")"}}"#)
      _ = try socket.receive()
      let names = try await items(
        on: server,
        of: ada,
        sending: { try socket.send(#"{"id":"1","type":"subscribe","payload":\#($0)}"#) },
        leaving: { socket.socket.close() }
      )
      #expect(names == ["a"])
    }
  }
}
