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
  private let timeout: Duration
  private let socket = Mutex<TestSocket?>(nil)

  /// - Parameters:
  ///   - address: The client address in the proxy's header.
  ///   - timeout: The time after which each wait for the server ends.
  init(port: Int, from address: String? = nil, timeout: Duration = TestSocket.timeout) {
    self.port = port
    self.address = address
    self.timeout = timeout
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
      let connection = try kept ?? TestSocket(port: port, timeout: timeout)
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
  /// Reads one response; its body by Content-Length, or to the last of its chunks.
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
      let name = parts[0].lowercased()
      let value = String((parts.count > 1 ? parts[1] : "").drop { $0 == " " })
      // Only of these may a response have several lines.
      guard headers.updateValue(value, forKey: name) == nil || ["set-cookie", "vary"].contains(name) else {
        throw UnreadableAnswer(fault: "The header \(name) is repeated.", head: lines)
      }
    }
    let status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    var body = Array(bytes[bodyStart...])
    if toHead || (100...199).contains(status) || status == 204 || status == 304 {
      return HTTPAnswer(status: status, headers: headers, body: body)
    }
    if headers["transfer-encoding"] == "chunked" {
      return HTTPAnswer(status: status, headers: headers, body: try content(ofChunks: body))
    }
    guard let length = headers["content-length"].flatMap({ Int($0) }), length >= 0 else {
      throw UnreadableAnswer(fault: "The length of the body is unknown.", head: lines)
    }
    if body.count < length { body += try receive(length - body.count) }
    return HTTPAnswer(status: status, headers: headers, body: body)
  }

  /// Reads a chunked body, of which some bytes have arrived, to its end (RFC 9112, section 7.1).
  private func content(ofChunks received: [UInt8]) throws -> [UInt8] {
    var bytes = received
    var position = 0
    func take(_ count: Int) throws -> ArraySlice<UInt8> {
      let missing = position + count - bytes.count
      if missing > 0 { bytes += try receive(missing) }
      defer { position += count }
      return bytes[position..<(position + count)]
    }
    func takeLine() throws -> String {
      var line: [UInt8] = []
      while !line.suffix(2).elementsEqual("\r\n".utf8) { line += try take(1) }
      return String(decoding: line.dropLast(2), as: UTF8.self)
    }
    var content: [UInt8] = []
    while true {
      let size = try takeLine()
      guard let count = Int(size, radix: 16), count >= 0 else {
        throw UnreadableAnswer(fault: "A chunk has no size.", head: [size[...]])
      }
      guard count > 0 else { break }
      content += try take(count)
      let end = try takeLine()
      guard end.isEmpty else { throw UnreadableAnswer(fault: "A chunk is longer than its size.", head: [end[...]]) }
    }
    // Trailers, and the line without one.
    while try !takeLine().isEmpty {}
    return content
  }
}

/// The server sent a response whose end or meaning is unclear.
struct UnreadableAnswer: Error {
  let fault: String
  let head: [Substring]
}

/// The server ended the connection before it had answered.
struct ConnectionEnded: Error {
  let received: String
}
