/// Why a server cannot listen on an address.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownHost(String)
  case addressInUse(host: String, port: Int)
  case addressNotAvailable(host: String)
  case permissionDenied(host: String, port: Int)
  /// The path of a Unix domain socket is longer than the system allows.
  case pathTooLong(String)
  /// There is something other than a socket at the path of a Unix domain socket.
  case notASocket(String)
  case system(SystemError)

  package var description: String {
    switch self {
    case .unknownHost(let host):
      "Cannot listen on \"\(host)\": it is neither an address nor a known name of this machine."
    case .addressInUse(let host, let port):
      "Cannot listen on \(host.hostInURL):\(port): the address is already in use."
    case .addressNotAvailable(let host): "Cannot listen on \(host): this machine does not have this address."
    case .permissionDenied(let host, let port): "Cannot listen on \(host.hostInURL):\(port): permission denied."
    case .pathTooLong(let path):
      "The path of a socket has at most \(SocketPath.maximumBytes) bytes: \(path) has \(path.utf8.count)."
    case .notASocket(let path): "\(path) exists, and is not a socket."
    case .system(let error): "Cannot listen: \(error)."
    }
  }
}
