import Foundation
import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("The start and the shutdown of a server of resolvers")
struct LifecycleTests {
  /// Refers to a server in its own resolvers.
  private final class Reference: Sendable {
    private let value = Mutex<GraphQLServer<Void>?>(nil)

    var server: GraphQLServer<Void>? { value.withLock { $0 } }
    func set(_ server: GraphQLServer<Void>?) { value.withLock { $0 = server } }
  }

  private actor Administrator {
    func stop(_ server: GraphQLServer<Void>?) async { await server?.shutdown(deadline: .milliseconds(30)) }
  }

  private static var schema: GraphQLSchema<Void> {
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in 1 }
    return schema
  }

  private static func server(
    _ schema: GraphQLSchema<Void> = Self.schema,
    port: Int = 0,
    threads: Int = 1
  ) throws -> GraphQLServer<Void> {
    var options = GraphQLServerOptions()
    options.port = port
    options.threads = threads
    return try GraphQLServer(schema, options: options) { _ in }
  }

  private static func expectResponse(from port: Int) async throws {
    #expect(try await TestSocket.response(to: "{ a }", from: port).hasSuffix(#"{"data":{"a":1}}"#))
  }

  @Test(arguments: [false, true])
  func `a resolver can await the shutdown, and its request ends at the deadline`(usesActor: Bool) async throws {
    let (reference, administrator, returned) = (Reference(), Administrator(), Gate())
    var schema = GraphQLSchema<Void>("type Query { stop: Boolean }")
    schema.query("stop") { _ in
      if usesActor {
        await administrator.stop(reference.server)
      } else {
        await reference.server?.shutdown(deadline: .milliseconds(30))
      }
      returned.open()
      return true
    }
    let server = try Self.server(schema)
    reference.set(server)
    let port = try await server.start()
    #expect(try await TestSocket.response(to: "{ stop }", from: port).isEmpty)
    await returned.pass()
    await server.shutdown()
    reference.set(nil)
  }

  @Test func `a second start returns the port, and a server that was shut down cannot be started`() async throws {
    let server = try Self.server()
    let concurrent = Task { try await server.start() }
    let port = try await server.start()
    #expect(try await concurrent.value == port)
    #expect(try await server.start() == port)
    try await Self.expectResponse(from: port)
    await server.shutdown(deadline: .zero)
    await #expect(throws: GraphQLServerStoppedError.self) { try await server.start() }
    let error = await #expect(throws: GraphQLServerStoppedError.self) { try await server.run() }
    #expect(error?.description == "The server has been shut down. Create another one to serve again.")
    await server.shutdown(deadline: .zero)
  }

  @Test func `a server that was shut down before its start cannot be started`() async throws {
    let server = try Self.server()
    await server.shutdown()
    await #expect(throws: GraphQLServerStoppedError.self) { try await server.start() }
  }

  @Test func `run goes on with a server that has been started, until it is shut down`() async throws {
    let server = try Self.server()
    let port = try await server.start()
    let announced = Gate()
    let run = Task {
      // Also if it throws, which the task's value reports.
      defer { announced.open() }
      try await server.run { url in
        #expect(url == "http://127.0.0.1:\(port)/graphql")
        announced.open()
      }
    }
    await announced.pass()
    try await Self.expectResponse(from: port)
    await server.shutdown(deadline: .zero)
    try await run.value
  }

  @Test func `a cancellation of run shuts the server down, within its deadline`() async throws {
    let (began, gate, announced) = (Gate(), Gate(), Gate())
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in
      began.open()
      await gate.pass()
      return 1
    }
    let server = try Self.server(schema)
    let port = try await server.start()
    let run = Task {
      defer { announced.open() }
      try await server.run(deadline: .milliseconds(30)) { _ in announced.open() }
    }
    await announced.pass()
    let response = Task { try await TestSocket.response(to: "{ a }", from: port) }
    await began.pass()
    run.cancel()
    try await run.value
    #expect(try await response.value.isEmpty)
    await #expect(throws: GraphQLServerStoppedError.self) { try await server.start() }
    gate.open()
  }

  @Test func `an invalid trusted document is an error, also if only one of its operations is invalid`() {
    var options = GraphQLServerOptions()
    options.trustedDocuments = ["first": "query A { a } mutation B { b }", "second": "query A { a }"]
    let error = #expect(throws: GraphQLSchemaError.self) {
      try GraphQLServer(Self.schema, options: options) { _ in }
    }
    #expect(
      error?.description
        == "The trusted document first is invalid: The mutation operation is not supported by the schema."
    )
  }

  @Test func `a start that has failed can be repeated`() async throws {
    let first = try Self.server()
    let port = try await first.start()
    let second = try Self.server(port: port)
    for _ in 1...2 {
      let error = await #expect(throws: (any Error).self) { try await second.start() }
      let message = error.map { "\($0)" } ?? ""
      #expect(message.contains("already in use"))
    }
    await first.shutdown(deadline: .zero)
    #expect(try await second.start() == port)
    try await Self.expectResponse(from: port)
    await second.shutdown(deadline: .zero)
  }

  @Test func `each of several shutdowns waits for the running requests`() async throws {
    let (began, gate, finished) = (Gate(), Gate(), Counter())
    var schema = GraphQLSchema<Void>("type Query { slow: Int }")
    schema.query("slow") { _ in
      began.open()
      await gate.pass()
      finished.increment()
      return 1
    }
    let server = try Self.server(schema)
    let port = try await server.start()
    let response = Task { try await TestSocket.response(to: "{ slow }", from: port) }
    await began.pass()
    let shutdowns = (1...3).map { _ in
      Task {
        await server.shutdown(deadline: .seconds(3600))
        return finished.count
      }
    }
    // Connections are accepted until the first one has begun.
    while (try? TestSocket(port: port)) != nil { await Task.yield() }
    gate.open()
    for shutdown in shutdowns { #expect(await shutdown.value == 1) }
    #expect(try await response.value.hasSuffix(#"{"data":{"slow":1}}"#))
  }

  @Test func `a server that has not been started has no loops`() throws {
    // More loops than any other server has, so the name of the last one is unique.
    let threads = ProcessInfo.processInfo.activeProcessorCount + 40
    let server = try Self.server(threads: threads)
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
      // Threads of other tests can have ended.
      try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
    }
    #expect(!names.isEmpty && !names.contains("loop-\(threads - 1)\n"))
    withExtendedLifetime(server) {}
  }
}
