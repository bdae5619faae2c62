/// Why a server cannot listen on an address.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownHost(String)
  case addressInUse(host: String, port: Int)
  case addressNotAvailable(host: String)
  case permissionDenied(host: String, port: Int)
  case system(SystemError)

  package var description: String {
    switch self {
    case .unknownHost(let host):
      "cannot listen on \"\(host)\": it is neither an address nor a known name of this machine"
    case .addressInUse(let host, let port): "cannot listen on \(host):\(port): the address is already in use"
    case .addressNotAvailable(let host): "cannot listen on \(host): this machine does not have this address"
    case .permissionDenied(let host, let port): "cannot listen on \(host):\(port): permission denied"
    case .system(let error): "cannot listen: \(error)"
    }
  }
}
