import Synchronization
import TestSupport

/// One connection to a server, kept open, on which one request goes after the other. It is reopened where the server
/// has closed it.
///
/// It waits on threads of its own: the server checks signatures on the threads that Swift runs tests on, and would wait
/// for the test that waits for it.
final class HTTPClient: Sendable {
  let port: Int
  /// The client address in the proxy's header.
  private let address: String?
  private let socket = Mutex<TestSocket?>(nil)

  init(port: Int, from address: String? = nil) {
    self.port = port
    self.address = address
  }

  func send(
    _ method: String,
    _ target: String,
    headers: [(String, String)] = [],
    body: [UInt8]? = nil
  ) async throws -> HTTPAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    if let address { head += "X-Forwarded-For: \(address)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    let request = Array((head + "\r\n").utf8) + (body ?? [])
    return try await TestThread { [self] in
      let kept = socket.withLock { kept in
        defer { kept = nil }
        return kept.flatMap { $0.hasEnded ? nil : $0 }
      }
      let connection = try kept ?? TestSocket(port: port)
      try connection.send(request)
      let answer = try connection.httpAnswer(toHead: method == "HEAD")
      if answer.headers["connection"] != "close" { socket.withLock { $0 = connection } }
      return answer
    }.value
  }

  func get(_ target: String, accept: String? = nil, headers: [(String, String)] = []) async throws -> HTTPAnswer {
    try await send("GET", target, headers: headers + (accept.map { [("Accept", $0)] } ?? []))
  }

  func post(
    _ body: String,
    contentType: String? = "application/json",
    accept: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    var headers = headers
    if let contentType { headers.append(("Content-Type", contentType)) }
    if let accept { headers.append(("Accept", accept)) }
    return try await send("POST", "/graphql", headers: headers, body: Array(body.utf8))
  }

  func close() { socket.withLock { $0 = nil } }
}

extension TestSocket {
  /// Reads one response; its body by Content-Length.
  func httpAnswer(toHead: Bool = false) throws -> HTTPAnswer {
    var bytes: [UInt8] = []
    var scanned = 0
    var end: Int?
    while end == nil {
      let some = try receiveSome()
      guard !some.isEmpty else { throw ConnectionEnded(received: String(decoding: bytes, as: UTF8.self)) }
      bytes += some
      while scanned + 4 <= bytes.count {
        if bytes[scanned..<(scanned + 4)].elementsEqual("\r\n\r\n".utf8) {
          end = scanned + 4
          break
        }
        scanned += 1
      }
    }
    let bodyStart = end ?? bytes.count
    let lines = String(decoding: bytes[..<bodyStart], as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = String((parts.count > 1 ? parts[1] : "").drop { $0 == " " })
    }
    let status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    let length = toHead || status == 304 || status == 204 ? 0 : Int(headers["content-length"] ?? "") ?? 0
    var body = Array(bytes[bodyStart...])
    if body.count < length { body += try receive(length - body.count) }
    return HTTPAnswer(status: status, headers: headers, body: body)
  }
}

/// The server ended the connection before it had answered.
struct ConnectionEnded: Error {
  let received: String
}
