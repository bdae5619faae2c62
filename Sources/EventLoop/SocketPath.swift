import Glibc

/// The path of a Unix domain socket, as the system calls take it.
package struct SocketPath {
  /// `sun_path` has 108 bytes, and the last one is a zero (unix(7)).
  package static let maximumBytes = 107

  private var address = sockaddr_un()

  /// Returns nil if the path is empty or too long.
  package init?(_ path: String) {
    guard (1...Self.maximumBytes).contains(path.utf8.count) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  }

  func bind(_ descriptor: Int32) -> Int32 { call { Glibc.bind(descriptor, $0, $1) } }

  /// Returns 0, or -1 with the error in `errno`.
  package func connect(_ descriptor: Int32) -> Int32 { call { Glibc.connect(descriptor, $0, $1) } }

  private func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      body(
        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size)
      )
    }
  }
}
