import EventLoop
import Foundation
import Glibc
import HTTP
import HTTPServer
import Logging

/// The socket in the data folder by which operators control a running server. Only the server's user can open it: the
/// file's mode is the only authorization. It speaks HTTP: a command is a POST to its words, such as `/account/list`,
/// with its arguments as JSON.
package enum ControlSocket {
  package static let name = "hearth.sock"

  package static func path(in directory: String) -> String { "\(directory)/\(name)" }

  /// The longest body of a command.
  private static let maximumBodyBytes = 64 << 10

  /// Listens, in a folder that is locked by this process. Returns nil if that is impossible, and logs why: the server
  /// works without it.
  static func start(
    for server: ControlledServer,
    on loop: EventLoop
  ) async -> HTTPServer<ControlHandler>? {
    let log = server.services.log
    do {
      var options = HTTPServerOptions()
      options.maximumConnections = 32
      options.limits.bodyBytes = maximumBodyBytes
      options.limits.unadmittedBytes = maximumBodyBytes
      let socket = HTTPServer(
        group: EventLoopGroup([loop]),
        socket: try ListeningSocket(path: path(in: server.directory)),
        options: options
      ) { ControlHandler(server, on: $0) }
      _ = try await socket.start()
      return socket
    } catch let error as ListenError {
      log.warning("Commands such as \"hearth status\" are not available.", metadata: ["reason": "\(error)"])
    } catch {
      log.warning("Commands such as \"hearth status\" are not available.", metadata: ["error": "\(error)"])
    }
    return nil
  }

  /// Removes the file when the server ends.
  static func remove(from directory: String) { unlink(path(in: directory)) }
}
