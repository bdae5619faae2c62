import Glibc

/// A plain blocking client, so that tests see what a client sees. Each wait ends after a timeout: on a busy machine a
/// debug build takes more than a minute for the dearest requests.
///
/// `@unchecked Sendable`: two threads can send and receive at the same time, which the kernel allows. A test closes it
/// when no other thread uses it.
package final class TestSocket: @unchecked Sendable {
  package static let timeout = Duration.seconds(240)

  private var descriptor: Int32

  /// - Parameter timeout: The time after which each wait ends.
  package init(
    port: Int,
    host: String = "127.0.0.1",
    receiveBuffer: Int32? = nil,
    timeout: Duration = TestSocket.timeout
  ) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
      throw Failure("no such host: \(host)")
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var noDelay: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
    guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { throw Failure("connect") }
  }

  /// Connects to a Unix domain socket.
  package init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: Int(Self.timeout.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: address) { pointer in
      connect(
        descriptor,
        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size)
      )
    }
    guard status == 0 else { throw Failure("connect") }
  }

  deinit { close() }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package init(_ doing: String) { description = "\(doing): \(String(cString: strerror(errno)))" }
  }

  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure("send") }
      sent += count
    }
  }

  /// Whether the peer has closed the connection and all received bytes have been read.
  package var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// The bytes of one call; empty at the end of the stream.
  package func receiveSome(upTo limit: Int = 65536) throws -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
      let received = recv(descriptor, room.baseAddress, limit, 0)
      failed = received < 0
      count = max(0, received)
    }
    if failed { throw Failure("receive") }
    return bytes
  }

  /// Exactly `count` bytes.
  package func receive(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let some = try receiveSome(upTo: min(65536, count - bytes.count))
      guard !some.isEmpty else { throw Failure("the stream ended after \(bytes.count) of \(count) bytes") }
      bytes += some
    }
    return bytes
  }

  /// All bytes until the peer ends the stream.
  package func receiveAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let some = try receiveSome()
      if some.isEmpty { return bytes }
      bytes += some
    }
  }

  package func sendEnd() { Glibc.shutdown(descriptor, Int32(SHUT_WR)) }

  package func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Ends the connection with a reset, as a peer does that crashes.
  package func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close()
  }
}
