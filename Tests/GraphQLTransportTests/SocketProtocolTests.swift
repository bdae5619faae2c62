import HTTPServer
import TestSupport
import Testing

@testable import GraphQLTransport

/// graphql-transport-ws, message by message, as its PROTOCOL.md has it.
@Suite("graphql-transport-ws")
struct SocketProtocolTests {
  private static let hello = #"{"data":{"hello":"Hello, you!"}}"#

  @Test func `the subprotocol has to be the one`() async throws {
    try await NewsServer.run { server in
      let port = server.port
      for offered in [nil, "graphql-ws", "mqtt, chat"] {
        let socket = try await TestThread { try TestWebSocket(port: port, subprotocol: offered) }.value
        #expect(socket.subprotocol == nil)
        let frame = try await LiveSocket(socket: socket).receive()
        #expect(frame == .close(4406, "Subprotocol not acceptable"))
      }
      let socket = try await TestThread {
        try TestWebSocket(port: port, subprotocol: "graphql-ws, graphql-transport-ws")
      }
      .value
      #expect(socket.subprotocol == "graphql-transport-ws")
    }
  }

  @Test func `a client that does not send connection_init in time is closed`() async throws {
    var live = NewsServer.patient
    live.initialization = .milliseconds(20)
    try await NewsServer.run(live: live) { server in
      let socket = try await server.connect(initialize: false)
      #expect(try await socket.receive() == .close(4408, "Connection initialisation timeout"))
    }
  }

  @Test func `a client that is still being identified is not closed`() async throws {
    var live = NewsServer.patient
    live.initialization = .milliseconds(20)
    try await NewsServer.run(live: live) { server in
      let gate = Gate()
      server.desk.whenIdentifying { await gate.pass() }
      let port = server.port
      // The server reads both at once, however slow the machine is.
      let handshake =
        "GET /graphql HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
      let message = #"{"type":"connection_init","payload":{"Authorization":"Bearer slow-ada"}}"#
      let socket = try await TestThread {
        let socket = try TestSocket(port: port)
        try socket.send(Array(handshake.utf8) + TestWebSocket.frame(0x1, Array(message.utf8)))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try socket.receive(1) }
        return socket
      }.value
      // The time of a later connection ends later.
      let later = try await server.connect(initialize: false)
      #expect(try await later.receive() == .close(4408, "Connection initialisation timeout"))
      gate.open()
      let acknowledgement = Array(#"{"type":"connection_ack"}"#.utf8)
      let received = try await TestThread { try socket.receive(2 + acknowledgement.count) }.value
      #expect(received == [0x81, UInt8(acknowledgement.count)] + acknowledgement)
    }
  }

  @Test(arguments: [
    (#"{"type":"connection_init"}"#, 4429), (#"{"id":"a","type":"subscribe","payload":{"query":"{ hello }"}}"#, 4409),
    ("hello", 4400), ("", 4400), ("[]", 4400), ("null", 4400), ("{}", 4400), (#"{"type":1}"#, 4400),
    (#"{"type":"nothing"}"#, 4400), (#"{"type":"connection_ack"}"#, 4400), (#"{"id":"x","type":"next"}"#, 4400),
    (#"{"type":"subscribe","payload":{"query":"{ hello }"}}"#, 4400),
    (#"{"id":"","type":"subscribe","payload":{"query":"{ hello }"}}"#, 4400),
    (#"{"id":1,"type":"subscribe","payload":{"query":"{ hello }"}}"#, 4400),
    (#"{"id":"b","type":"subscribe"}"#, 4400), (#"{"id":"b","type":"subscribe","payload":"{ hello }"}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":1}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":null}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":"{ hello }","variables":[]}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":"{ hello }","variables":"{}"}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":"{ hello }","operationName":1}}"#, 4400),
    (#"{"id":"b","type":"subscribe","payload":{"query":"{ hello }","extensions":"x"}}"#, 4400),
    // A number must not be treated as no position, which would lose events silently.
    (
      #"{"id":"b","type":"subscribe","payload":{"query":"subscription { kept { number } }","extensions":{"position":3}}}"#,
      4400
    ),
    (#"{"type":"complete"}"#, 4400), (#"{"type":"ping","payload":1}"#, 4400),
    (#"{"type":"ping","type":"pong"}"#, 4400), (#"{"type":"ping","payload":{},"payload":{}}"#, 4400),
    (#"{"id":"b","id":"c","type":"complete"}"#, 4400), (#"{"\u0074ype":"ping","type":"ping"}"#, 4400),
    (#"{"type":"pong","payload":"x"}"#, 4400),
  ])
  func `an unexpected message closes the socket`(_ message: String, _ code: UInt16) async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { news { text } }")
      try await socket.send(message)
      guard case .close(code, _) = try await socket.receive() else { return #expect(Bool(false), "\(message)") }
      await server.waitForSubscriptions(0)
    }
  }

  @Test func `nothing but text is spoken`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await TestThread { try socket.socket.send(0x2, Array(#"{"type":"ping"}"#.utf8)) }.value
      #expect(try await socket.receive() == .close(4400, "Messages are text."))
    }
  }

  @Test func `nothing is executed before the acknowledgement`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect(initialize: false)
      try await socket.subscribe("a", "{ hello }")
      #expect(try await socket.receive() == .close(4401, "Unauthorized"))
      let hasty = try await server.connect(initialize: false)
      try await hasty.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer slow-ada"}}"#)
      #expect(try await hasty.receive() == .text(#"{"type":"connection_ack"}"#))
      try await hasty.send(#"{"type":"connection_init"}"#)
      #expect(try await hasty.receive() == .close(4429, "Too many initialisation requests"))
    }
  }

  @Test func `pings are answered with their payload at any time`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect(initialize: false)
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      try await socket.send(#"{"type":"ping","payload":{"time": 12}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong","payload":{"time": 12}}"#))
      try await socket.send(#"{"type":"pong","payload":{}}"#)
      try await socket.send(#"{"type":"connection_init"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"connection_ack"}"#))
    }
  }

  // MARK: Operations

  @Test func `queries and mutations are answered once, then complete`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect("slow-ada")
      let cases: [(String, String)] = [
        ("{ hello }", Self.hello),
        ("{ waiting }", #"{"data":{"waiting":"waited"}}"#),
        (#"mutation { say(text: \"hi\") }"#, #"{"data":{"say":"hi"}}"#),
        ("{ me }", #"{"data":{"me":"ada"}}"#),
      ]
      for (query, answer) in cases {
        try await socket.subscribe("a", query)
        #expect(try await socket.receive() == next("a", answer))
        #expect(try await socket.receive() == complete("a"))
      }
      try await socket.subscribe(
        "b",
        "query A { me } query B($n: String!) { hello(name: $n) }",
        #","operationName":"B","variables":{"n":"B"},"extensions":{}"#
      )
      #expect(try await socket.receive() == next("b", #"{"data":{"hello":"Hello, B!"}}"#))
      #expect(try await socket.receive() == complete("b"))
    }
  }

  @Test func `a request error is an error of that operation`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      let cases: [(String, String, String)] = [
        ("{ unknown }", "", "GRAPHQL_VALIDATION_FAILED"), ("{", "", "GRAPHQL_PARSE_FAILED"),
        ("subscription { news { text } counted }", "", "GRAPHQL_VALIDATION_FAILED"),
        ("query Q($n: String!) { hello(name: $n) }", "", "BAD_USER_INPUT"),
        ("{ hello }", #","operationName":"Q""#, "OPERATION_RESOLUTION_FAILURE"),
      ]
      for (query, more, code) in cases {
        try await socket.subscribe("a", query, more)
        guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false), "\(query)") }
        #expect(text.hasPrefix(#"{"id":"a","type":"error","payload":[{"message":"#), "\(text)")
        #expect(text.contains(code), "\(text)")
      }
    }
  }

  @Test func `the documents of a caller's open subscriptions take a bounded number of bytes`() async throws {
    var live = NewsServer.patient
    live.maximumOperationBytes = 64 << 10
    try await NewsServer.run(live: live) { server in
      let ada = try await server.connect("ada")
      func isAccepted(_ id: Int, by socket: LiveSocket, document: Int) async throws -> Bool {
        try await socket.subscribe("\(id)", "subscription { news { text\(1000 + document): text } }")
        // The pong comes after what the subscriptions before it caused.
        try await socket.send(#"{"type":"ping"}"#)
        let answer = try await socket.receive()
        if answer == .text(#"{"type":"pong"}"#) { return true }
        guard case .text(let text) = answer else { return false }
        #expect(text.hasPrefix(#"{"id":"\#(id)","type":"error""#) && text.contains("TOO_MANY_OPERATIONS"))
        #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
        return false
      }
      var open = 0
      while try await isAccepted(open, by: ada, document: open) { open += 1 }
      // One caller has an eighth.
      #expect((2...12).contains(open))
      // A document that the caller has open already takes nothing more.
      #expect(try await isAccepted(100, by: ada, document: 0))
      // Others have as much for the documents that they subscribe to, whether or not somebody has them open.
      let bob = try await server.connect("bob")
      for number in 0..<open { #expect(try await isAccepted(number, by: bob, document: number)) }
      #expect(try await isAccepted(100, by: bob, document: 100) == false)
      // A document is charged for as long as the caller has it.
      try await ada.send(#"{"id":"0","type":"complete"}"#)
      #expect(try await isAccepted(101, by: ada, document: 101) == false)
      try await ada.send(#"{"id":"100","type":"complete"}"#)
      #expect(try await isAccepted(101, by: ada, document: 101))
    }
  }

  @Test func `several operations are open at once, and no more than there may be`() async throws {
    var live = NewsServer.patient
    live.maximumOperations = 3
    try await NewsServer.run(live: live) { server in
      let socket = try await server.connect()
      for id in ["a", "b", "c"] { try await socket.subscribe(id, "subscription { counted }") }
      try await socket.subscribe("d", "{ hello }")
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(text.hasPrefix(#"{"id":"d","type":"error""#) && text.contains("TOO_MANY_OPERATIONS"))
      await server.publish(1, "")
      var received: Set<String> = []
      for _ in 0..<3 {
        if case .text(let text) = try await socket.receive() { received.insert(text) }
      }
      #expect(
        received == Set(["a", "b", "c"].map { #"{"id":"\#($0)","type":"next","payload":{"data":{"counted":1}}}"# })
      )
      try await socket.send(#"{"id":"b","type":"complete"}"#)
      try await socket.subscribe("d", "{ hello }")
      #expect(try await socket.receive() == next("d", Self.hello))
    }
  }

  @Test func `ids of different bytes are of different operations, also if they look the same`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      let (composed, decomposed) = ("\u{E9}", "e\u{301}")
      for id in [composed, decomposed] {
        try await socket.subscribe(id, "subscription { counted }")
        try await socket.send(#"{"type":"ping"}"#)
        #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      }
      try await socket.send(#"{"id":"\#(composed)","type":"complete"}"#)
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      await server.publish(1, "")
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      // Swift's `==` does not tell the ids apart.
      let expected = #"{"id":"\#(decomposed)","type":"next","payload":{"data":{"counted":1}}}"#
      #expect(text.utf8.elementsEqual(expected.utf8), "\(Array(text.utf8))")
    }
  }

  @Test func `an id is echoed unchanged`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe(#"\"\u00e9\\ \n"#, "{ hello }")
      #expect(try await socket.receive() == next(#"\"é\\ \n"#, Self.hello))
      #expect(try await socket.receive() == complete(#"\"é\\ \n"#))
    }
  }

  // MARK: Who it is

  @Test(arguments: ["Authorization", "authorization", "AUTHORIZATION"])
  func `the token is in the payload`(_ key: String) async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect(initialize: false)
      try await socket.send(#"{"type":"connection_init","payload":{"\#(key)":"Bearer ada"}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"connection_ack"}"#))
      try await socket.subscribe("a", "{ me }")
      #expect(try await socket.receive() == next("a", #"{"data":{"me":"ada"}}"#))
    }
  }

  @Test(arguments: ["expired", "slow-expired"])
  func `a bad token is forbidden`(_ token: String) async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect(initialize: false)
      try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
      #expect(try await socket.receive() == .close(4403, "TOKEN_EXPIRED: The access token has expired."))
    }
  }

  @Test func `the end of a session closes its connections`() async throws {
    try await NewsServer.run { server in
      let ada = try await server.connect("ada")
      let bob = try await server.connect("slow-bob")
      for socket in [ada, bob] { try await socket.subscribe("a", "subscription { mine { viewer } }") }
      await server.waitForSubscriptions(2)
      server.desk.end(1)
      #expect(try await ada.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      await server.publish(1, "")
      #expect(try await bob.receive() == next("a", #"{"data":{"mine":{"viewer":"bob"}}}"#))
      #expect(await server.subscriptionCount() == 1)
      #expect(await server.sessionCount() == 1)
    }
  }

  @Test func `an expired token closes the socket after a grace, unless it is renewed`() async throws {
    var live = NewsServer.patient
    live.expiryGrace = .milliseconds(20)
    try await NewsServer.run(live: live) { server in
      let socket = try await server.connect("brief-ada")
      #expect(try await socket.receive() == .close(4403, "TOKEN_EXPIRED: The access token has expired."))
    }
    live.expiryGrace = .seconds(60)
    try await NewsServer.run(live: live) { server in
      let socket = try await server.connect("brief-ada")
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer slow-ada"}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong","payload":{"renewed":true}}"#))
    }
  }

  @Test(arguments: ["bob", "slow-bob"])
  func `a socket can be renewed for its own session only`(_ token: String) async throws {
    try await NewsServer.run { server in
      let before = await server.handleCount()
      let socket = try await server.connect("ada")
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer \#(token)"}}"#)
      #expect(try await socket.receive() == .close(4403, "FORBIDDEN: The token belongs to another session."))
      socket.socket.socket.close()
      try await server.waitForHandles(before)
      #expect(await server.sessionCount() == 0)
    }
  }

  @Test func `a person has so many connections open and no more, and others have theirs`() async throws {
    let rejected =
      "TOO_MANY_CONNECTIONS: You have 2 open live connections, which is the maximum: close one, or try again later."
    try await NewsServer.run(connectionsPerPerson: 2) { server in
      let before = await server.handleCount()
      // Renewals and operations do not count as connections.
      let first = try await server.connect("ada")
      try await first.send(#"{"type":"ping","payload":{"Authorization":"Bearer slow-ada"}}"#)
      #expect(try await first.receive() == .text(#"{"type":"pong","payload":{"renewed":true}}"#))
      let stream = try await EventStreamTests.Stream.post(
        server.port,
        "subscription { mine { viewer } }",
        "Authorization: Bearer ada\r\n"
      )
      await server.waitForSubscriptions(1)
      for token in ["ada", "slow-ada"] {
        let socket = try await server.connect(initialize: false)
        try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
        #expect(try await socket.receive() == .close(1013, rejected))
        socket.socket.socket.close()
        let more = try await EventStreamTests.Stream.post(
          server.port,
          "{ me }",
          "Authorization: Bearer \(token)\r\n"
        )
        _ = try await more.head()
        _ = try await more.chunk()
        #expect(try await more.chunk().contains("TOO_MANY_CONNECTIONS"))
        #expect(try await more.chunk() == "event: complete\ndata:\n\n")
        more.socket.close()
      }
      let bob = try await server.connect("bob")
      let nobody = try await server.connect()
      try await nobody.subscribe("a", "{ hello }")
      #expect(try await nobody.receive() == next("a", Self.hello))
      for socket in [first, bob, nobody] { socket.socket.socket.reset() }
      stream.socket.reset()
      try await server.waitForHandles(before)
      for _ in 0..<2 { _ = try await server.connect("ada") }
    }
  }

  // MARK: The network

  @Test func `a client that is silent is pinged, and closed when it does not answer`() async throws {
    var options = NewsServer.quiet
    options.pingInterval = .milliseconds(20)
    options.pongTimeout = .milliseconds(20)
    try await NewsServer.run(options: options) { server in
      let before = await server.handleCount()
      let socket = try await server.connect(initialize: false)
      #expect(try await socket.receiveAny() == .ping([]))
      #expect(try await socket.receiveAny() == .end)
      try await server.waitForHandles(before)
    }
  }

  @Test func `a client that answers pings stays`() async throws {
    var options = NewsServer.quiet
    options.pingInterval = .milliseconds(50)
    try await NewsServer.run(options: options) { server in
      let socket = try await server.connect(initialize: false)
      for _ in 0..<3 {
        #expect(try await socket.receiveAny() == .ping([]))
        try await TestThread { try socket.socket.send(0xA, []) }.value
      }
    }
  }

  @Test func `who does not take its events is closed with a reason, and takes none from others`() async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 64 << 10
    try await NewsServer.run(options: options) { server in
      let port = server.port
      let slow = LiveSocket(
        socket: try await TestThread { try TestWebSocket(port: port, receiveBuffer: 4096) }.value
      )
      try await slow.send(#"{"type":"connection_init"}"#)
      #expect(try await slow.receive() == .text(#"{"type":"connection_ack"}"#))
      try await slow.subscribe("a", "subscription { news { text } }")
      let quick = try await server.connect()
      try await quick.subscribe("a", "subscription { news { text } }")
      await server.waitForSubscriptions(2)
      let text = String(repeating: "x", count: 50_000)
      var count = 0
      // The kernel takes some megabytes for itself.
      while await server.subscriptionCount() == 2, count < 1000 {
        await server.publish(Int64(count), text)
        #expect(try await quick.receive() == next("a", #"{"data":{"news":{"text":"\#(text)"}}}"#))
        count += 1
      }
      let frames = try await slow.rest()
      #expect(frames.last == .close(1013, "SLOW_CONSUMER: Events arrive faster than the client reads them."))
      // The last is the closing.
      #expect(frames.count - 1 <= count)
    }
  }

  @Test func `a slow consumer gets no further responses, and loses none`() async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 64 << 10
    try await NewsServer.run(options: options) { server in
      let socket = try await server.connect()
      let count = 100
      let messages = (0..<count).map { number in
        #"{"id":"\#(number)","type":"subscribe","payload":{"query":"{ long(bytes: 200000) }"}}"#
      }
      // All messages in one write, and therefore in one read.
      try await TestThread {
        try socket.socket.socket.send(messages.flatMap { TestWebSocket.frame(1, Array($0.utf8)) })
      }.value
      let other = try await server.connect()
      try await other.subscribe("a", "{ hello }")
      #expect(try await other.receive() == next("a", Self.hello))
      #expect(server.desk.executions < count)
      let text = String(repeating: "x", count: 200_000)
      for number in 0..<count {
        #expect(try await socket.receive() == next("\(number)", #"{"data":{"long":"\#(text)"}}"#))
        #expect(try await socket.receive() == complete("\(number)"))
      }
    }
  }

  @Test func `at a shutdown clients get a delay to reconnect`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { news { text } }")
      await server.waitForSubscriptions(1)
      async let shutdown: Void = server.shutdown(deadline: .seconds(60))
      guard case .close(1001, let reason) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(reason.wholeMatch(of: /SHUTTING_DOWN: reconnect in \d+ ms/) != nil)
      try await TestThread { try socket.socket.close(1001) }.value
      #expect(try await socket.rest() == [])
      socket.socket.socket.close()
      await shutdown
    }
  }

  @Test func `closed sockets leave nothing behind`() async throws {
    try await NewsServer.run { server in
      let before = await server.handleCount()
      for round in 0..<60 {
        let socket = try await server.connect(round % 2 == 0 ? "ada" : "slow-bob", initialize: round % 3 != 0)
        if round % 3 != 0 {
          try await socket.subscribe("a", "subscription { mine { text } }")
          try await socket.subscribe("b", "subscription { waiting { text } }")
          if round % 4 == 0 { await server.publish(1, "") }
        }
        switch round % 4 {
        case 0: socket.socket.socket.reset()
        case 1: socket.socket.socket.close()
        case 2: socket.socket.socket.sendEnd()
        default:
          try await TestThread { try socket.socket.socket.send([0x81]) }.value
          socket.socket.socket.close()
        }
      }
      try await server.waitForHandles(before)
      #expect(await server.subscriptionCount() == 0)
      #expect(await server.sessionCount() == 0)
    }
  }
}
