import Basics
import Glibc
import Synchronization

/// A server on a free port of 127.0.0.1 that treats each connection as a test says, each on a thread of its own. Closed
/// with the object.
package final class FakeServer: Sendable {
  package let port: Int
  private let listener: Int32
  private let thread: SystemThread

  package init(_ serve: @escaping @Sendable (FakeClient) -> Void) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(listener, start, length) == 0 && listen(listener, 16) == 0
        && getsockname(listener, start, &length) == 0
    }
    precondition(bound, "no free port")
    port = Int(UInt16(bigEndian: address.sin_port))
    thread = try SystemThread(name: "fake-server") {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        let client = FakeClient(descriptor)
        try? SystemThread.startDetached(name: "fake-client") {
          serve(client)
          client.close()
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    thread.join()
    close(listener)
  }
}

/// A socket of the fake server: the end of a connection, or of one to the real server.
package final class FakeClient: Sendable {
  package let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var noDelay: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
  }

  /// Connects to the Unix socket of the real server.
  package convenience init?(connectingTo path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map {
        connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
      }
    }
    guard connected == true else { return nil }
    self.init(descriptor)
  }

  /// The bytes of one read; empty at the end.
  package func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
      count = max(0, recv(descriptor, room.baseAddress, room.count, 0))
    }
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Ends the connection in both directions. Can be called by any thread.
  package func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func close() { Glibc.close(descriptor) }
}

/// The messages of PostgreSQL's protocol that a server sends.
package enum ServerMessage {
  package static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
    [type.asciiValue ?? 0] + bytes(Int32(body.count + 4)) + body
  }

  package static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  package static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// The end of the start: authenticated, some parameters, ready.
  package static let start =
    message("R", bytes(Int32(0)))
    + message("S", text("server_version") + text("15.0"))
    + message("S", text("client_encoding") + text("UTF8"))
    + message("K", bytes(Int32(1)) + bytes(Int32(2)))
    + ready

  package static let ready = message("Z", [UInt8(ascii: "I")])
  package static let parseComplete = message("1", [])
  package static let bindComplete = message("2", [])

  /// One column of type `bigint`, in the binary format.
  package static let rowDescription =
    message(
      "T",
      bytes(Int16(1)) + text("n") + bytes(Int32(0)) + bytes(Int16(0)) + bytes(Int32(20)) + bytes(Int16(8))
        + bytes(Int32(-1)) + bytes(Int16(1))
    )

  package static func row(_ number: Int64) -> [UInt8] {
    message("D", bytes(Int16(1)) + bytes(Int32(8)) + bytes(number))
  }

  package static let selected = message("C", text("SELECT 1"))
}
