import Glibc

/// A listening socket, closed with its last reference.
package final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The port that it is bound to, also if the system chose it. 0 for a Unix domain socket.
  package let port: Int

  /// - Parameters:
  ///   - host: An IPv4 or IPv6 address, or a name of this machine; "localhost" means 127.0.0.1.
  ///   - port: The port; with 0 the system chooses a free one.
  ///   - backlog: The number of connections that can wait to be accepted. The system has a limit of its own.
  package init(host: String, port: Int, backlog: Int = 1024) throws(ListenError) {
    guard let number = UInt16(exactly: port) else { throw .system(SystemError(EINVAL, during: "using port \(port)")) }
    let address = try SocketAddress(host: host, port: number)
    let descriptor = socket(
      address.family,
      Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      0
    )
    guard descriptor >= 0 else { throw .system(SystemError(errno, during: "making a socket")) }
    do throws(ListenError) {
      // Without it, a restarted server would have to wait until the connections of its predecessor have timed out.
      Self.enable(SO_REUSEADDR, at: SOL_SOCKET, of: descriptor)
      // Accepted sockets inherit it on Linux, which saves a call for each.
      Self.enable(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: descriptor)
      // Inherited too. A peer whose machine is down acknowledges nothing, and the kernel would retry for a quarter of
      // an hour.
      Self.set(TCP_USER_TIMEOUT, to: Self.acknowledgementTimeout, at: Int32(IPPROTO_TCP), of: descriptor)
      // Inherited too. Without it the kernel takes megabytes of a long response at once, and copying them takes the
      // loop several milliseconds.
      Self.set(TCP_NOTSENT_LOWAT, to: Self.unsentInKernel, at: Int32(IPPROTO_TCP), of: descriptor)
      guard address.bind(descriptor) == 0 else { throw Self.bindError(errno, host: host, port: port) }
      guard listen(descriptor, Int32(clamping: backlog)) == 0 else {
        throw Self.bindError(errno, host: host, port: port)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = Int(SocketAddress(localOf: descriptor).port)
  }

  /// A Unix domain socket at a path, which only the user of this process can open. A socket that a process has left
  /// there is replaced: the caller must know that no process listens on it.
  package init(path: String, backlog: Int = 16) throws(ListenError) {
    guard let address = SocketPath(path) else { throw .pathTooLong(path) }
    // A socket cannot be opened as a file. It is not followed through a link, and a pipe does not block.
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file < 0, errno == ENXIO || errno == ENOENT else {
      if file >= 0 { close(file) }
      throw .notASocket(path)
    }
    unlink(path)
    let descriptor = socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      0
    )
    guard descriptor >= 0 else { throw .system(SystemError(errno, during: "making a socket")) }
    // Connections are rejected until `listen`, so there is no moment at which others can connect.
    guard address.bind(descriptor) == 0, chmod(path, 0o600) == 0, listen(descriptor, Int32(clamping: backlog)) == 0
    else {
      let error = SystemError(errno, during: "binding \(path)")
      close(descriptor)
      throw .system(error)
    }
    self.descriptor = descriptor
    port = 0
  }

  deinit { close(descriptor) }

  private static func enable(_ option: Int32, at level: Int32, of descriptor: Int32) {
    set(option, to: 1, at: level, of: descriptor)
  }

  private static func set(_ option: Int32, to value: Int32, at level: Int32, of descriptor: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Milliseconds for which sent data can stay unacknowledged.
  private static let acknowledgementTimeout: Int32 = 60_000

  /// Bytes of a response that the kernel accepts beyond those that it can send.
  private static let unsentInKernel: Int32 = 128 << 10

  private static func bindError(_ number: Int32, host: String, port: Int) -> ListenError {
    switch number {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EADDRNOTAVAIL: .addressNotAvailable(host: host)
    case EACCES, EPERM: .permissionDenied(host: host, port: port)
    default: .system(SystemError(number, during: "binding a socket"))
    }
  }
}
