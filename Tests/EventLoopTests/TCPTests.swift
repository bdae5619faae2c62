import Bytes
import EventLoop
import Synchronization
import TestSupport
import Testing

@Suite("TCP", .timeLimit(.minutes(20)))
struct TCPTests {
  @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func `a stream carries bytes both ways`(host: String) async throws {
    let server = try await EchoServer(host: host)
    let client = try TestSocket(port: server.port, host: host == "localhost" ? "127.0.0.1" : host)
    try client.send("hello")
    #expect(try client.receive(5) == Array("hello".utf8))
    client.sendEnd()
    #expect(try client.receiveAll().isEmpty)
    server.group.stop()
  }

  @Test func `a slow reader gets everything in order`() async throws {
    let server = try await EchoServer()
    let client = try TestSocket(port: server.port, receiveBuffer: 4096)
    let sent = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    // The server stops reading while its responses are unread (backpressure), so the test sends and receives
    // concurrently.
    let sender = TestThread {
      try client.send(sent)
      client.sendEnd()
    }
    let received = try client.receiveAll()
    try await sender.value
    #expect(received == sent)
    client.close()
    await server.closed.wait(for: 1)
    server.group.stop()
  }

  @Test func `the writes of one turn are sent together`() async throws {
    let group = try EventLoopGroup(count: 1)
    actor Talker: TCPStreamDelegate {
      nonisolated let loop: EventLoop
      let stream: TCPStream
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ stream: sending TCPStream) {
        loop = stream.loop
        self.stream = stream
      }
      func start() { stream.start(delegate: self) }
      func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
        for part in 0..<100 {
          stream.output.append(decimal: Int64(part % 10))
          stream.cork()
        }
        // Nothing has been written yet; a task of the same turn adds to it.
        let unsent = stream.unsentCount
        Task(executorPreference: loop) { await self.add(unsent == 100 ? "." : "!") }
      }
      func add(_ text: String) {
        stream.output.append(text)
        stream.cork()
      }
      func streamDidReachEnd() { stream.close() }
      func streamDidDrain() {}
      func streamDidClose(_ error: SystemError?) {}
    }
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    try await group.loops[0].run {
      _ = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops) { stream in
        Talker(stream).assumeIsolated { $0.start() }
      }
    }
    let client = try TestSocket(port: port)
    try client.send("go")
    #expect(try client.receiveSome().count == 101)
    client.close()
    group.stop()
  }

  @Test func `a stream that closes before the end of the turn is not written`() async throws {
    let group = try EventLoopGroup(count: 1)
    actor Leaver: TCPStreamDelegate {
      nonisolated let loop: EventLoop
      let stream: TCPStream
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ stream: sending TCPStream) {
        loop = stream.loop
        self.stream = stream
      }
      func start() { stream.start(delegate: self) }
      func streamDidRead(_ bytes: UnsafeRawBufferPointer) {
        stream.output.append(bytes)
        stream.cork()
        if bytes.count > 1 { stream.close() }
      }
      func streamDidReachEnd() { stream.close() }
      func streamDidDrain() {}
      func streamDidClose(_ error: SystemError?) {}
    }
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    try await group.loops[0].run {
      _ = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops) { stream in
        Leaver(stream).assumeIsolated { $0.start() }
      }
    }
    let staying = try TestSocket(port: port)
    for _ in 0..<20 {
      let leaving = try TestSocket(port: port)
      try leaving.send("go")
      try staying.send("a")
      #expect(try leaving.receiveAll().isEmpty)
      #expect(try staying.receive(1) == Array("a".utf8))
    }
    staying.close()
    group.stop()
  }

  /// The bytes that a connection reads and writes in each turn of its loop.
  private final class Portions: Sendable {
    let read = Mutex<[Int]>([])
    let written = Mutex<[Int]>([])
  }

  /// Counts what a connection reads and writes, and writes `outgoing` bytes at its start.
  private actor PortionCounter: TCPStreamDelegate {
    nonisolated let loop: EventLoop
    let stream: TCPStream
    private let portions: Portions
    private let outgoing: Int
    private var unsent = 0
    private var received = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ stream: sending TCPStream, _ portions: Portions, outgoing: Int) {
      loop = stream.loop
      self.stream = stream
      self.portions = portions
      self.outgoing = outgoing
    }

    func start() {
      stream.start(delegate: self)
      var bytes = ByteBuffer()
      bytes.append([UInt8](repeating: 7, count: outgoing))
      unsent = outgoing
      stream.append(bytes)
      loop.whenTurnsEnd { [self] in assumeOnLoop { $0.noteTurn() } }
    }

    private func noteTurn() {
      portions.written.withLock { $0.append(unsent - stream.unsentCount) }
      unsent = stream.unsentCount
      portions.read.withLock { $0.append(received) }
      received = 0
    }

    func streamDidRead(_ bytes: UnsafeRawBufferPointer) { received += bytes.count }
    func streamDidReachEnd() {
      noteTurn()
      stream.shutdown()
    }
    func streamDidDrain() {}
    func streamDidClose(_ error: SystemError?) {}
  }

  /// Connects to a loop that counts the portions of the connection.
  private func countPortions(on loop: EventLoop, outgoing: Int = 0) async throws -> (client: TestSocket, Portions) {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    let portions = Portions()
    try await loop.run {
      _ = try TCPListener(socket, on: loop, dealingTo: [loop]) { stream in
        PortionCounter(stream, portions, outgoing: outgoing).assumeOnLoop { $0.start() }
      }
    }
    return (try TestSocket(port: port), portions)
  }

  @Test func `many bytes are written in portions, one in each turn`() async throws {
    let group = try EventLoopGroup(count: 1)
    let (client, portions) = try await countPortions(on: group.loops[0], outgoing: 2_000_000)
    var received = 0
    while received < 2_000_000 { received += try client.receiveSome().count }
    // A job runs before the end of its turn, so the second one runs after the end of the first one's.
    for _ in 0..<2 { try await group.loops[0].run {} }
    let sizes = portions.written.withLock { $0 }
    #expect(sizes.reduce(0, +) == 2_000_000)
    // What libuv has written counts when the next portion is.
    #expect(sizes.allSatisfy { $0 <= 256 << 10 }, "\(sizes)")
    client.close()
    group.stop()
  }

  @Test func `many bytes are read in portions, one in each turn`() async throws {
    let group = try EventLoopGroup(count: 1)
    let (client, portions) = try await countPortions(on: group.loops[0])
    let count = 50_000_000
    try await TestThread {
      try client.send([UInt8](repeating: 7, count: count))
      client.sendEnd()
      #expect(try client.receiveAll().isEmpty)
    }.value
    let sizes = portions.read.withLock { $0 }
    #expect(sizes.reduce(0, +) == count)
    #expect(sizes.allSatisfy { $0 <= 64 << 10 }, "\(sizes.max() ?? 0)")
    client.close()
    group.stop()
  }

  @Test func `long and short bytes are sent in the order in which they were appended`() async throws {
    let group = try EventLoopGroup(count: 1)
    let parts = [3, 70_000, 5, 5_000_000, 100_000, 1, 3_000_000].enumerated().map { index, count in
      [UInt8](repeating: UInt8(index), count: count)
    }
    actor Talker: TCPStreamDelegate {
      nonisolated let loop: EventLoop
      let stream: TCPStream
      let parts: [[UInt8]]
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ stream: sending TCPStream, _ parts: [[UInt8]]) {
        loop = stream.loop
        self.stream = stream
        self.parts = parts
      }
      func start() {
        stream.start(delegate: self)
        for part in parts {
          var bytes = ByteBuffer()
          bytes.append(part)
          stream.append(bytes)
        }
        stream.shutdown()
      }
      func streamDidRead(_ bytes: UnsafeRawBufferPointer) {}
      func streamDidReachEnd() {}
      func streamDidDrain() {}
      func streamDidClose(_ error: SystemError?) {}
    }
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    try await group.loops[0].run {
      _ = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops) { stream in
        Talker(stream, parts).assumeIsolated { $0.start() }
      }
    }
    let client = try TestSocket(port: port, receiveBuffer: 4096)
    #expect(try client.receiveAll() == parts.flatMap { $0 })
    client.close()
    group.stop()
  }

  @Test func `a thousand reset connections leave nothing behind`() async throws {
    let server = try await EchoServer(loops: 2)
    let loops = server.group.loops
    func openHandles() async throws -> Int {
      var count = 0
      for loop in loops { count += try await loop.run { loop.openHandleCount } }
      return count
    }
    let before = try await openHandles()
    for number in 0..<200 {
      let client = try TestSocket(port: server.port)
      if number % 3 > 0 { try client.send([UInt8](repeating: 1, count: number % 3 * 100)) }
      client.reset()
    }
    await server.closed.wait(for: 200)
    #expect(server.opened.count == 200)
    #expect(try await openHandles() == before)
    server.group.stop()
  }

  @Test func `connections are distributed evenly`() async throws {
    let server = try await EchoServer(loops: 2)
    let clients = try (0..<32).map { _ in try TestSocket(port: server.port) }
    await server.opened.wait(for: 32)
    let counts = try await [
      server.group.loops[0].run { server.group.loops[0].openHandleCount },
      server.group.loops[1].run { server.group.loops[1].openHandleCount },
    ]
    // The first loop has the listener too.
    #expect(counts == [17, 16])
    for client in clients { client.close() }
    server.group.stop()
  }

  @Test func `a loop that stops closes its connections and notifies their delegates`() async throws {
    let server = try await EchoServer(loops: 2)
    let clients = try (0..<10).map { _ in try TestSocket(port: server.port) }
    await server.opened.wait(for: 10)
    server.group.stop()
    #expect(server.closed.count == 10)
    for client in clients { #expect(try client.receiveAll().isEmpty) }
    #expect(throws: TestSocket.Failure.self) { try TestSocket(port: server.port) }
  }

  @Test func `listening on an unusable address reports the reason`() async throws {
    let taken = try ListeningSocket(host: "127.0.0.1", port: 0)
    #expect(throws: ListenError.addressInUse(host: "127.0.0.1", port: taken.port)) {
      _ = try ListeningSocket(host: "127.0.0.1", port: taken.port)
    }
    #expect(throws: ListenError.addressNotAvailable(host: "203.0.113.1")) {
      _ = try ListeningSocket(host: "203.0.113.1", port: 0)
    }
    #expect(throws: ListenError.unknownHost("no such name")) {
      _ = try ListeningSocket(host: "no such name", port: 0)
    }
    #expect(throws: ListenError.self) { _ = try ListeningSocket(host: "127.0.0.1", port: 70_000) }
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("::1", "[::1]"), ("fe80::1", "[fe80::1]")])
  func `an IPv6 address has brackets in URLs and in errors`(host: String, text: String) {
    #expect(host.hostInURL == text)
    let error = ListenError.addressInUse(host: host, port: 80)
    #expect(error.description == "Cannot listen on \(text):80: the address is already in use.")
  }
}
