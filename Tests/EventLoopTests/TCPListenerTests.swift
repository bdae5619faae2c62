import EventLoop
import TestSupport
import Testing

@Suite("Listening for TCP connections", .timeLimit(.minutes(20)))
struct TCPListenerTests {
  @Test func `a connection whose descriptor is past the limit is closed at once`() async throws {
    let group = try EventLoopGroup(count: 1)
    let opened = Counter()
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    try await group.loops[0].run {
      _ = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops, descriptorLimit: 3) { stream in
        opened.increment()
        stream.close()
      }
    }
    // More than the listener accepts in a turn.
    for _ in 0..<100 { #expect(try TestSocket(port: port).receiveAll().isEmpty) }
    #expect(opened.count == 0)
    group.stop()
  }
}
