import GraphQL
import GraphQLTransport
import HTTPServer
import TestSupport
import Testing

/// Subscriptions over a real WebSocket.
@Suite("Subscriptions over graphql-transport-ws")
struct SubscriptionTests {
  @Test func `an event reaches its subscribers only`() async throws {
    try await NewsServer.run { server in
      let one = try await server.connect()
      let other = try await server.connect()
      try await one.subscribe("a", "subscription { news { number text } }")
      try await other.subscribe("b", #"subscription { news(topic: \"weather\") { text } }"#)
      await server.waitForSubscriptions(2)
      await server.publish(1, "Moon landed on")
      await server.publish(2, "Rain", topic: "weather")
      #expect(try await one.receive() == next("a", #"{"data":{"news":{"number":1,"text":"Moon landed on"}}}"#))
      #expect(try await other.receive() == next("b", #"{"data":{"news":{"text":"Rain"}}}"#))
    }
  }

  @Test func `a pong comes after the subscriptions before its ping have begun`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect("slow-ada")
      try await socket.subscribe("a", "subscription { news { number } }")
      await server.waitForSubscriptions(1)
      let gate = Gate()
      server.desk.whenIdentifying { await gate.pass() }
      try await socket.subscribe("b", "subscription { news { number } }")
      try await socket.send(#"{"type":"ping"}"#)
      // The only loop has read the ping when it answers a later connection.
      _ = try await server.connect("bob")
      await server.publish(1, "")
      #expect(try await socket.receive() == next("a", #"{"data":{"news":{"number":1}}}"#))
      gate.open()
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      await server.publish(2, "")
      let received = [try await socket.receive(), try await socket.receive()]
      for id in ["a", "b"] { #expect(received.contains(next(id, #"{"data":{"news":{"number":2}}}"#))) }
    }
  }

  @Test func `a pong does not wait for a response`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      let gate = Gate()
      server.desk.whenSaid { _ in await gate.pass() }
      try await socket.subscribe("a", #"mutation { say(text: \"hi\") }"#)
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      gate.open()
      #expect(try await socket.receive() == next("a", #"{"data":{"say":"hi"}}"#))
    }
  }

  @Test func `a pong waits until the operation before its ping is executed, and no longer`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect("slow-ada")
      let (identified, gate) = (Gate(), Gate())
      server.desk.whenIdentifying { await identified.pass() }
      server.desk.whenSaid { _ in await gate.pass() }
      try await socket.subscribe("a", #"mutation { say(text: \"hi\") }"#)
      try await socket.send(#"{"type":"ping"}"#)
      // The only loop has read the ping when it answers a later connection.
      _ = try await server.connect("bob")
      identified.open()
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      gate.open()
      #expect(try await socket.receive() == next("a", #"{"data":{"say":"hi"}}"#))
    }
  }

  @Test func `a burst of events does not close a client`() async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 16 << 10
    try await NewsServer.run(options: options) { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { news { number text } }")
      await server.waitForSubscriptions(1)
      let text = String(repeating: "x", count: 200)
      await server.onLoop { handler in
        for number in 1...500 {
          handler.hub.publish(SourceEvent(NewsDesk.News(number: Int64(number), text: text)), to: Topic("news"))
        }
      }
      for number in 1...500 {
        #expect(try await socket.receive() == next("a", #"{"data":{"news":{"number":\#(number),"text":"\#(text)"}}}"#))
      }
    }
  }

  @Test func `a leaf may be subscribed to as well`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { n: counted }")
      await server.waitForSubscriptions(1)
      await server.publish(17, "")
      #expect(try await socket.receive() == next("a", #"{"data":{"n":17}}"#))
    }
  }

  @Test func `an event is executed for each caller only if the operation selects a field that depends on the caller`()
    async throws
  {
    try await NewsServer.run { server in
      let sockets = [try await server.connect("ada"), try await server.connect("bob")]
      for socket in sockets { try await socket.subscribe("a", "subscription { news { text } }") }
      await server.waitForSubscriptions(2)
      await server.publish(1, "Moon landed on")
      for socket in sockets {
        #expect(try await socket.receive() == next("a", #"{"data":{"news":{"text":"Moon landed on"}}}"#))
      }
      #expect(server.desk.executions == 1)
      for socket in sockets {
        try await socket.subscribe("b", "subscription { news { ... on News @include(if: true) { text viewer } } }")
      }
      await server.waitForSubscriptions(4)
      await server.publish(2, "Rain")
      for (socket, name) in zip(sockets, ["ada", "bob"]) {
        let received = [try await socket.receive(), try await socket.receive()]
        #expect(received.contains(next("b", #"{"data":{"news":{"text":"Rain","viewer":"\#(name)"}}}"#)), "\(received)")
      }
      #expect(server.desk.executions == 1 + 3)
    }
  }

  @Test func `an event is executed once for all equal subscriptions`() async throws {
    try await NewsServer.run { server in
      var sockets: [LiveSocket] = []
      for name in ["ada", "ada", "ada", "bob", "bob"] {
        let socket = try await server.connect(name)
        try await socket.subscribe("a", "subscription { mine { text viewer } }")
        sockets.append(socket)
      }
      await server.waitForSubscriptions(5)
      await server.publish(1, "Hi")
      for (socket, name) in zip(sockets, ["ada", "ada", "ada", "bob", "bob"]) {
        #expect(try await socket.receive() == next("a", #"{"data":{"mine":{"text":"Hi","viewer":"\#(name)"}}}"#))
      }
      #expect(server.desk.executions == 2)
    }
  }

  @Test func `events keep their order where the plan waits`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { waiting { number } }")
      await server.waitForSubscriptions(1)
      for number in 1...20 { await server.publish(Int64(number), "") }
      for number in 1...20 {
        #expect(try await socket.receive() == next("a", #"{"data":{"waiting":{"number":\#(number)}}}"#))
      }
    }
  }

  @Test func `replay comes first, then new events, none twice`() async throws {
    try await NewsServer.run { server in
      for number in 1...8 { await server.publish(Int64(number), "", isKept: true) }
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { kept { number } }")
      await server.waitForSubscriptions(1)
      await server.publish(9, "", isKept: true)
      for number in 1...9 {
        guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
        #expect(text.contains(#""data":{"kept":{"number":\#(number)}},"extensions":{"position":"\#(number)""#))
      }
    }
  }

  @Test func `events that are not stored are also delivered during a replay`() async throws {
    try await NewsServer.run { server in
      for number in 1...4 { await server.publish(Int64(number), "", isKept: true) }
      let desk = server.desk
      await server.onLoop { handler in
        desk.whenKeptIsRead {
          desk.whenKeptIsRead {}
          handler.assumeIsolated { handler in
            handler.hub.publish(SourceEvent(NewsDesk.News(number: 0, text: "")), to: Topic("news"))
            let news = NewsDesk.News(number: 5, text: "")
            desk.keep(news)
            handler.hub.publish(SourceEvent(news, position: 5), to: Topic("news"))
          }
        }
      }
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { kept { number } }", #","extensions":{"position":"0"}"#)
      var received: [Int] = []
      for _ in 0...5 {
        guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
        let number = try #require(text.firstMatch(of: /"number":(\d)/)?.output.1)
        #expect(text.contains(#""position":"\#(number)""#) == (number != "0"))
        received.append(try #require(Int(number)))
      }
      // The event that is not stored may come at any time.
      #expect(received.filter { $0 > 0 } == [1, 2, 3, 4, 5])
      await server.publish(6, "", isKept: true)
      let payload = #"{"data":{"kept":{"number":6}},"extensions":{"position":"6"}}"#
      #expect(try await socket.receive() == next("a", payload))
    }
  }

  @Test func `an event that is published while the end of the backlog is read is delivered once`() async throws {
    try await NewsServer.run { server in
      await server.publish(1, "", isKept: true)
      let desk = server.desk
      let fetches = Counter()
      await server.onLoop { handler in
        desk.whenFetched {
          fetches.increment()
          // What is being read is the piece after the only event.
          guard fetches.count == 2 else { return }
          let news = NewsDesk.News(number: 2, text: "")
          desk.keep(news)
          handler.assumeIsolated { $0.hub.publish(SourceEvent(news, position: 2), to: Topic("news")) }
        }
      }
      let socket = try await server.connect("far-ada")
      try await socket.subscribe("a", "subscription { kept { number } }", #","extensions":{"position":"0"}"#)
      for number in 1...2 {
        let payload = #"{"data":{"kept":{"number":\#(number)}},"extensions":{"position":"\#(number)"}}"#
        #expect(try await socket.receive() == next("a", payload))
      }
      await server.publish(3, "", isKept: true)
      let payload = #"{"data":{"kept":{"number":3}},"extensions":{"position":"3"}}"#
      #expect(try await socket.receive() == next("a", payload))
    }
  }

  @Test func `a client resumes where it disconnected`() async throws {
    try await NewsServer.run { server in
      for number in 1...8 { await server.publish(Int64(number), "", isKept: true) }
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { kept { number } }", #","extensions":{"position":"6"}"#)
      for number in 7...8 {
        #expect(
          try await socket.receive()
            == next("a", #"{"data":{"kept":{"number":\#(number)}},"extensions":{"position":"\#(number)"}}"#)
        )
      }
      try await socket.subscribe("b", "subscription { kept { number } }", #","extensions":{"position":"six"}"#)
      #expect(
        try await socket.receive()
          == .text(
            #"{"id":"b","type":"error","payload":[{"message":"This is no position.","locations":[{"line":1,"#
              + #""column":16}],"path":["kept"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
          )
      )
    }
  }

  @Test func `an error of reading the backlog ends the subscription, and says when to try again`() async throws {
    try await NewsServer.run { server in
      server.desk.whenKeptIsRead {
        throw FieldError("Too much is being read.", code: ErrorCode(rawValue: "OVERLOADED"), retryAfter: 7)
      }
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { kept { number } }")
      #expect(
        try await socket.receive()
          == .text(
            #"{"id":"a","type":"error","payload":[{"message":"Too much is being read.","#
              + #""extensions":{"code":"OVERLOADED","retryAfter":7}}]}"#
          )
      )
      #expect(await server.subscriptionCount() == 0)
    }
  }

  /// The backlog of `kept` is read when it starts; whether an event of `checked` is current, when it is published.
  @Test(arguments: ["ada", "far-ada"], ["kept", "checked"])
  func `an error that only the service knows ends the subscription with its code`(
    token: String,
    field: String
  ) async throws {
    try await NewsServer.run { server in
      server.desk.whenKeptIsRead { throw NewsDesk.Outage() }
      let socket = try await server.connect(token)
      try await socket.subscribe("a", "subscription { \(field) { number } }")
      if field == "checked" {
        await server.waitForSubscriptions(1)
        await server.publish(1, "")
      }
      #expect(
        try await socket.receive()
          == .text(
            #"{"id":"a","type":"error","payload":[{"message":"The archive is closed.","#
              + #""extensions":{"code":"CLOSED","retryAfter":9}}]}"#
          )
      )
      #expect(server.desk.reports == [])
    }
  }

  @Test(arguments: ["ada", "far-ada"], ["kept", "checked"])
  func `an unknown error ends the subscription and is reported`(token: String, field: String) async throws {
    try await NewsServer.run { server in
      server.desk.whenKeptIsRead { throw NewsDesk.Defect() }
      let socket = try await server.connect(token)
      try await socket.subscribe("a", "subscription { \(field) { number } }")
      if field == "checked" {
        await server.waitForSubscriptions(1)
        await server.publish(1, "")
      }
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(text.contains(#""type":"error""#) && text.contains("INTERNAL_SERVER_ERROR"))
      #expect(server.desk.reports == ["Subscription.\(field): Defect()"])
    }
  }

  @Test func `a subscriber learns that the service is unavailable, as a request does`() async throws {
    try await NewsServer.run { server in
      server.desk.whenFollowing {
        throw ServiceUnavailable(
          GraphQLError("Try again later.", code: ErrorCode(rawValue: "STORAGE_UNAVAILABLE"), retryAfter: 3)
        )
      }
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { news { number } }")
      await server.waitForSubscriptions(1)
      await server.publish(1, "")
      #expect(
        try await socket.receive()
          == .text(
            #"{"id":"a","type":"error","payload":[{"message":"Try again later.","#
              + #""extensions":{"code":"STORAGE_UNAVAILABLE","retryAfter":3}}]}"#
          )
      )
      #expect(await server.subscriptionCount() == 0)
    }
  }

  @Test func `an unauthorized subscription gets an error, and the socket stays open`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      try await socket.subscribe("a", "subscription { mine { text } }")
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(text.contains(#""type":"error""#) && text.contains("UNAUTHENTICATED"))
      try await socket.subscribe("a", "{ hello }")
      #expect(try await socket.receive() == next("a", #"{"data":{"hello":"Hello, you!"}}"#))
    }
  }

  @Test func `a subscription ends with its source, with the client's wish, or with the connection`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect()
      for id in ["a", "b"] { try await socket.subscribe(id, "subscription { news { number } }") }
      try await socket.subscribe("c", #"subscription { news(topic: \"other\") { number } }"#)
      await server.waitForSubscriptions(3)
      try await socket.send(#"{"id":"a","type":"complete"}"#)
      await server.waitForSubscriptions(2)
      await server.end(topic: "news")
      #expect(try await socket.receive() == complete("b"))
      #expect(await server.subscriptionCount() == 1)
      socket.socket.socket.reset()
      await server.waitForSubscriptions(0)
    }
  }
}
