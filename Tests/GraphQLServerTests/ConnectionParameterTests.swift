import GraphQLServer
import TestSupport
import Testing

@Suite("The payload of connection_init, in contexts")
struct ConnectionParameterTests {
  /// A server whose context is a parameter of the connection.
  private static func run(_ body: (Int) async throws -> Void) async throws {
    var schema = GraphQLSchema<String>("type Query { tenant: String }")
    schema.query("tenant") { request in request.context }
    var options = GraphQLServerOptions()
    (options.port, options.threads) = (0, 1)
    let server = try GraphQLServer(schema, options: options) { request in
      request.connectionParameters["tenant"] ?? "none of \(request.connectionParameters.count)"
    }
    try await server.serving(body)
  }

  @Test(arguments: [
    (#","payload":{"tenant":"shop","Authorization":"Bearer a"}"#, "shop"),
    (#","payload":{"tenant":"shop","tenant":"other"}"#, "shop"), (#","payload":{"tenant":5,"x":"y"}"#, "none of 1"),
    ("", "none of 0"),
  ])
  func `are the texts of its members`(payload: String, tenant: String) async throws {
    try await Self.run { port in
      let socket = try await LiveSocket.open(port)
      try await socket.send(#"{"type":"connection_init"\#(payload)}"#)
      #expect(try await socket.receive() == .text(#"{"type":"connection_ack"}"#))
      // A renewed token does not replace them.
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer b"}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong","payload":{"renewed":true}}"#))
      try await socket.subscribe("1", "{ tenant }")
      #expect(try await socket.receive() == next("1", #"{"data":{"tenant":"\#(tenant)"}}"#))
    }
  }

  @Test func `close the WebSocket if they are too long`() async throws {
    try await Self.run { port in
      let socket = try await LiveSocket.open(port)
      let text = String(repeating: "a", count: 40_000)
      try await socket.send(#"{"type":"connection_init","payload":{"tenant":"\#(text)"}}"#)
      #expect(
        try await socket.receive()
          == .close(4400, "The payload of connection_init has more than 32768 bytes.")
      )
    }
  }

  @Test func `are empty for other requests, and can be given in tests`() {
    #expect(ClientRequest().connectionParameters == [:])
    #expect(ClientRequest(connectionParameters: ["tenant": "shop"]).connectionParameters == ["tenant": "shop"])
  }
}
