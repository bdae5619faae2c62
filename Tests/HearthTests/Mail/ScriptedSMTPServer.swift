import Synchronization
import TestSupport

/// A mail server with the replies of a test. It records what it receives.
final class ScriptedSMTPServer: Sendable {
  /// The replies to commands, by the first four letters. `.` is the end of the content.
  private static let replies = [
    "EHLO": "250 localhost", "MAIL": "250 OK", "RCPT": "250 OK", "DATA": "354 Go on", ".": "250 Queued",
    "QUIT": "221 Bye",
  ]

  var port: Int { server.port }
  private let server: FakeServer
  private let received: Lines

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  /// - Parameter replies: replaces replies. An empty one is not sent.
  init(_ replies: [String: String] = [:]) throws {
    let (replies, received) = (Self.replies.merging(replies) { $1 }, Lines())
    self.received = received
    server = try FakeServer { client in
      client.send(Array("220 localhost\r\n".utf8))
      var (rest, isContent) = ([] as [UInt8], false)
      while true {
        let bytes = client.receive()
        guard !bytes.isEmpty else { return }
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end].dropLast(), as: UTF8.self)
          rest.removeSubrange(...end)
          received.all.withLock { $0.append(line) }
          guard !isContent || line == "." else { continue }
          let reply = replies[String(line.prefix(4))] ?? "500 Unknown"
          isContent = reply.hasPrefix("354")
          if !reply.isEmpty { client.send(Array("\(reply)\r\n".utf8)) }
        }
      }
    }
  }

  /// The commands and the lines of the mails.
  var lines: [String] { received.all.withLock { $0 } }
}
