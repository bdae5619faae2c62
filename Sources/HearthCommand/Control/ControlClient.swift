import Basics
import EventLoop
import Foundation
import Glibc
import Hearth

/// Sends the commands of operators to the server that runs on a data folder.
struct ControlClient {
  /// The data folder.
  let directory: String

  /// How long a command may take: a test mail waits for a mail server.
  private static let timeout = Duration.seconds(300)
  private static let maximumResponseBytes = 64 << 20

  /// Returns the response as JSON.
  ///
  /// - Throws: `CommandError` with a sentence.
  func send<Command: OperatorCommand>(_ command: Command) throws -> Data {
    let descriptor = try connect()
    defer { close(descriptor) }
    let body = try ControlJSON.encode(command)
    let path = Command.path
    let head = "POST \(path) HTTP/1.1\r\nHost: hearth\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    try Self.write(Array(head.utf8) + Array(body), to: descriptor)
    let (status, json) = try Self.response(in: try Self.readAll(from: descriptor))
    guard status == 200 else {
      throw CommandError(
        (try? ControlJSON.decode(CommandFailure.self, from: json).error) ?? "The server rejected the command."
      )
    }
    return json
  }

  private func connect() throws -> Int32 {
    guard access(directory, F_OK) == 0 else { throw CommandError("The data folder \(directory) does not exist.") }
    let path = ControlSocket.path(in: directory)
    guard let address = SocketPath(path) else {
      throw CommandError(
        "The path of the socket has \(path.utf8.count) bytes, and at most \(SocketPath.maximumBytes) are possible. "
          + "Change to the data folder, and use --data ."
      )
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw CommandError("A socket cannot be made: \(FileCalls.reason).") }
    var timeout = timeval(tv_sec: Int(Self.timeout.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard address.connect(descriptor) == 0 else {
      let error = errno
      close(descriptor)
      throw failure(error, at: path)
    }
    return descriptor
  }

  private func failure(_ error: Int32, at path: String) -> CommandError {
    switch error {
    // A server that was killed leaves its socket behind.
    case ENOENT, ECONNREFUSED: CommandError("No server is running on the data folder \(directory).")
    case EACCES, EPERM:
      CommandError("\(path) belongs to another user: run the command as the server's user, for example with sudo -u.")
    default: CommandError("\(path) cannot be opened: \(String(cString: strerror(error))).")
    }
  }

  /// Not `FileCalls.write`: when the server has closed the connection, SIGPIPE would end this process.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw CommandError("The server closed the connection.") }
      sent += count
    }
  }

  private static func readAll(from descriptor: Int32) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < maximumResponseBytes {
      guard let part = FileCalls.read(descriptor, atMost: 64 << 10) else {
        throw CommandError("The server did not respond: \(FileCalls.reason).")
      }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// The status and the body of a response that ends with the connection.
  private static func response(in bytes: [UInt8]) throws -> (status: Int, body: Data) {
    let data = Data(bytes)
    guard let end = data.range(of: Data("\r\n\r\n".utf8)),
      let status = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        .wholeMatch(of: /HTTP\/1\.1 (\d{3})[\s\S]*/).flatMap({ Int($0.1) })
    else { throw CommandError("The server ended before it responded.") }
    return (status, Data(data[end.upperBound...]))
  }
}
